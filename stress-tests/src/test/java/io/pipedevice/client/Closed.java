// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

/** The exceptions that a call may throw while it races with close. */
final class Closed {
    private Closed() {}

    /** CLOSED if the exception is PD Lib's for a closed socket, else the exception. */
    static String saidByCall(Throwable thrown) {
        return says(thrown, "closed socket") ? "CLOSED" : thrown.toString();
    }

    /** CLOSED if the exception is that of an access to closed memory, else the exception. */
    static String saidByMemory(Throwable thrown) {
        return says(thrown, "closed") ? "CLOSED" : thrown.toString();
    }

    private static boolean says(Throwable thrown, String words) {
        return thrown instanceof IllegalStateException
                && String.valueOf(thrown.getMessage()).contains(words);
    }
}
