// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

import java.util.concurrent.TimeUnit;

/**
 * Where and how a call runs: the operand of {@link OperationCode#CALL}. Bits that are or-ed, and in the high half the
 * time within which the call has to end, from its post: microseconds, 0 for any time.
 */
public final class CallFlags {
    /** The longest time limit, in nanoseconds: an hour. */
    public static final long MOST_LIMIT_NS = TimeUnit.HOURS.toNanos(1);

    private static final int LIMIT_SHIFT = Integer.SIZE;
    private static final long LIMIT = -1L << LIMIT_SHIFT;

    /** It begins in the process of the function's owner, and not at the device. */
    public static final long HOST = 1;

    /** A state lies behind the message: the call resumes from there. */
    public static final long RESUME = 2;

    /** Device and owner may move the call between them. */
    public static final long MOVABLE = 4;

    /** The call may be given back with its state, for which there is room behind the message. */
    public static final long RETURNABLE = 8;

    private static final long ALL = HOST | RESUME | MOVABLE | RETURNABLE | LIMIT;

    private CallFlags() {}

    /**
     * Whether there is no other bit.
     *
     * @param flags any value
     * @return false if the driver does not know what they mean
     */
    public static boolean areKnown(long flags) {
        return (flags & ~ALL) == 0;
    }

    /**
     * The bits of a time limit.
     *
     * @param ns 1 to {@link #MOST_LIMIT_NS}; rounded up to microseconds
     * @return to be or-ed with the others
     */
    public static long limit(long ns) {
        return ((ns + 999) / 1000) << LIMIT_SHIFT;
    }

    /**
     * The time limit of a call alone.
     *
     * @param flags any value
     * @return 0 if it has none
     */
    public static long limitOf(long flags) {
        return flags & LIMIT;
    }

    /**
     * The time limit of a call.
     *
     * @param flags any value
     * @return in nanoseconds; 0 if it has none
     */
    public static long limitNs(long flags) {
        return (flags >>> LIMIT_SHIFT) * 1000;
    }

    /**
     * Whether a call has not ended in its time.
     *
     * @param flags any value
     * @param postedNs when it was posted, of {@link System#nanoTime}
     * @param nowNs the time
     * @return false if it has no limit
     */
    public static boolean isOver(long flags, long postedNs, long nowNs) {
        long limitNs = limitNs(flags);
        return limitNs != 0 && nowNs - postedNs > limitNs;
    }
}
