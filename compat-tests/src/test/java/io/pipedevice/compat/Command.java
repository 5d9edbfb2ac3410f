// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Runs commands that a user would type, which must succeed. */
final class Command {
    private Command() {}

    /** Runs a command; returns its output. */
    static String run(String... words) throws IOException, InterruptedException {
        try (Program program = Program.start(words[0], List.of(words))) {
            assertEquals(0, program.leave(), program::log);
            return program.log();
        }
    }

    /** Sends a command to a JVM. */
    static String jcmd(long pid, String what) throws IOException, InterruptedException {
        return run(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(pid), what);
    }
}
