// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

/**
 * Layout of the completion of a one-sided operation: four words, little-endian.
 *
 * <pre>
 *   0      8       16       20        24      32
 *  +------+-------+--------+---------+-------+
 *  | id   | value | status | delay   | stamp |
 *  +------+-------+--------+---------+-------+
 * </pre>
 *
 * <p>The value is what eight bytes of the target held before the operation, where it concerns eight bytes; of a call,
 * its result. The delay is that of a call: the time in nanoseconds from its post to its beginning, an unsigned number.
 * The stamp is the number of the lap, from 1, and is stored last.
 */
public final class CompletionDescriptor {
    /** Length of a completion, in bytes. */
    public static final int LENGTH = 32;

    static final int ID_OFFSET = 0;
    static final int VALUE_OFFSET = 8;
    static final int STATUS_OFFSET = 16;
    static final int STAMP_OFFSET = 24;

    private static final long MOST_DELAY_NS = 0xFFFF_FFFFL;

    private CompletionDescriptor() {}

    /**
     * The delay of a call, as completions and returns have it.
     *
     * @param postedNs when it was posted, of {@link System#nanoTime}; any value
     * @param nowNs when it begins
     * @return in nanoseconds, an unsigned number; 4.3 s is the longest
     */
    public static int delay(long postedNs, long nowNs) {
        return (int) Math.clamp(nowNs - postedNs, 0, MOST_DELAY_NS);
    }
}
