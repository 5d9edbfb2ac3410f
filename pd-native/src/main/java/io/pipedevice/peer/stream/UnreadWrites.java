// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The blocking writes of one stream whose peer makes no room for a while. A peer that waits for a processor looks like
 * one that does not read. Where many streams of the process wait, their peers take turns at the processors, and each
 * needs a turn before it can be judged. Used by the writing thread.
 */
final class UnreadWrites {
    /**
     * A peer that makes no room for this long, although it could have run, counts as one that does not read at present.
     */
    static final long TURN_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Streams that wait are counted for this long: more than a round of the turns of most of them. */
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The most turns for which a write waits. */
    private static final long MOST_TURNS = 128;

    private static final int COUNT_BITS = 16;
    private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

    /**
     * The number of a window, the streams that have waited in the window before it, and those that have waited in it,
     * from high bits to low ones.
     */
    private static final AtomicLong OF_PROCESS = new AtomicLong((System.nanoTime() / WINDOW_NS) << (2 * COUNT_BITS));

    private final AtomicLong streams;

    /** The window in which this stream was counted last. */
    private long countedIn = -1;

    /** A stream of this process. */
    UnreadWrites() {
        this(OF_PROCESS);
    }

    /** A stream among those that share a count, which begins with the number of a window not long ago. */
    UnreadWrites(AtomicLong streams) {
        this.streams = streams;
    }

    /**
     * A write begins to wait here, after it has waited for one turn.
     *
     * @param now by {@link System#nanoTime}
     * @return how long it waits until its peer counts as one that does not read, in nanoseconds; 0 if it is the only
     *     one
     */
    long turns(long now) {
        long window = (now / WINDOW_NS) & (-1L >>> (2 * COUNT_BITS));
        long one = window == countedIn ? 0 : 1;
        countedIn = window;
        long last;
        long counts;
        do {
            last = streams.get();
            counts = add(last, window, one);
        } while (!streams.compareAndSet(last, counts));
        long waiting = Math.max(counts & COUNT_MASK, (counts >>> COUNT_BITS) & COUNT_MASK);
        // One turn has passed.
        return TURN_NS * (Math.min(waiting, MOST_TURNS) - 1);
    }

    private static long add(long last, long window, long one) {
        int passed = (int) (window - (last >>> (2 * COUNT_BITS)));
        if (passed <= 0) {
            // Another thread, which has read the clock later, may have begun the next window.
            return (last & COUNT_MASK) == COUNT_MASK ? last : last + one;
        }
        long before = passed == 1 ? last & COUNT_MASK : 0;
        return (window << (2 * COUNT_BITS)) | (before << COUNT_BITS) | 1;
    }
}
