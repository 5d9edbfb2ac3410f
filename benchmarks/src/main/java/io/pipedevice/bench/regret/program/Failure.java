// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

/** Failures of threads that have no caller. The other end notices them by the end of its connection. */
final class Failure {
    private Failure() {}

    static void report(Throwable failure) {
        System.err.println("regret: " + Thread.currentThread().getName() + ": " + failure);
    }
}
