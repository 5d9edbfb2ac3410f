// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

/** Does nothing; what its JVM takes is what it is started for. */
final class Idle {
    private Idle() {}

    static void main(String[] args) throws Exception {
        Console.ready();
        Console.awaitEnd();
    }
}
