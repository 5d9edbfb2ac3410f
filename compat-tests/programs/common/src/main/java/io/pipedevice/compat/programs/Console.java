// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;

/**
 * Communication between a program and the test that started it: lines, and the end of the standard input as the request
 * to end.
 */
final class Console {
    private Console() {}

    /** Reports that the program is ready, with its parameters in the form {@code name=value}. */
    static void ready(String... words) {
        System.out.println("READY " + String.join(" ", words));
    }

    static void awaitEnd() throws IOException {
        while (System.in.read() >= 0) {
            // Only the end counts.
        }
    }
}
