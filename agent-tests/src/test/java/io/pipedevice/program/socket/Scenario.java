// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program.socket;

import java.util.function.Consumer;

/** Something that a program does with one connection. */
@FunctionalInterface
interface Scenario {
    /**
     * Runs it.
     *
     * @param log takes what the program sees, which is to be the same on every transport
     */
    void run(Ends ends, Consumer<String> log) throws Exception;
}
