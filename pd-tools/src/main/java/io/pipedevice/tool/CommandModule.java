// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

/**
 * Adds one command of a module under {@code pipedevice}, with its subcommands.
 *
 * <p>Implementations are public, have a public constructor without parameters, and are named in
 * {@code META-INF/services/io.pipedevice.tool.CommandModule}. The command line gives every command its {@code --help},
 * {@code --version} and {@code --verbose}; a command brings its name, its description and its own options. It reports a
 * failure by throwing: the message becomes the one line that the user sees, and the exit code is 1. Only the main
 * thread calls it.
 */
public interface CommandModule {
    /**
     * The command that this module adds.
     *
     * @return an object whose class carries picocli's {@code @Command}; a new one at each call
     */
    Object command();
}
