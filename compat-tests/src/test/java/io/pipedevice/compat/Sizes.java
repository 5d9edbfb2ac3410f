// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

/** How much data the programs move: enough to fill every buffer many times, and with -Dcompat.full=true much more. */
final class Sizes {
    static final boolean FULL = Boolean.getBoolean("compat.full");

    /** Whether programs also measure themselves, which takes a minute or two. */
    static final boolean MEASURED = FULL || Boolean.getBoolean("compat.containers");

    private Sizes() {}

    /** The amount that a program moves in each of its checks. */
    static long some() {
        return FULL ? 256L << 20 : 8L << 20;
    }

    static long much() {
        return FULL ? 1L << 30 : 32L << 20;
    }

    /** The programs' common arguments. */
    static String size(long bytes) {
        return "size=" + bytes;
    }

    static String limit() {
        return "limit=" + Program.CHECK_LIMIT_S;
    }
}
