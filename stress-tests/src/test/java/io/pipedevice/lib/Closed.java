// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

/** What a call that races with close may throw. */
final class Closed {
    private Closed() {}

    /** CLOSED, if a call says so in PD Lib's words, else the exception. */
    static String saidByCall(Throwable thrown) {
        return says(thrown, "closed socket") ? "CLOSED" : thrown.toString();
    }

    /** CLOSED, if an access to memory says so, else the exception. */
    static String saidByMemory(Throwable thrown) {
        return says(thrown, "closed") ? "CLOSED" : thrown.toString();
    }

    private static boolean says(Throwable thrown, String words) {
        return thrown instanceof IllegalStateException
                && String.valueOf(thrown.getMessage()).contains(words);
    }
}
