// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;

/** How a program and the test that started it talk: lines, and the end of the standard input as the order to end. */
final class Console {
    private Console() {}

    /** Says that the program can be used, and with what, in words of the form {@code name=value}. */
    static void ready(String... words) {
        System.out.println("READY " + String.join(" ", words));
    }

    static void awaitEnd() throws IOException {
        while (System.in.read() >= 0) {
            // Only the end counts.
        }
    }
}
