// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.SpinMode;
import java.util.function.LongSupplier;

/**
 * How long one kind of wait looks for news before it sleeps: at most about what a wake-up costs, half as long after each
 * time that it did not pay, and longer again when it does or would have. Used by one thread at a time.
 */
final class SpinPolicy {
    /** Something that can be looked at without a system call. */
    interface Look {
        boolean isReady();

        /** Whether it becomes ready only when the calling thread gives up its processor. */
        default boolean sharesProcessor() {
            return false;
        }
    }

    /** Who never sleeps gives way to whoever waits for this very processor, after so long. */
    private static final long YIELD_NS = 10_000;

    private static final int FLOOR_SHIFT = 5;

    final SpinMode mode;
    /** To fall asleep and to ring cost too. And two that wake each other must be able to meet awake. */
    private static final int MORE_THAN_LATENCY_SHIFT = 1;

    private final LongSupplier cost;
    private long budgetNs;

    /**
     * A policy that has not spun yet.
     *
     * @param cost what a wake-up costs now, in nanoseconds
     */
    SpinPolicy(SpinMode mode, LongSupplier cost) {
        this.mode = mode;
        this.cost = cost;
        budgetNs = mostNs();
    }

    /** The longest spin that pays. */
    private long mostNs() {
        long latency = cost.getAsLong();
        return latency + (latency >> MORE_THAN_LATENCY_SHIFT);
    }

    /**
     * Looks until there is news or it does not pay to look any longer.
     *
     * @param looksPerClock how many looks take about a microsecond: how often the clock is looked at
     * @param longestNs longest time in any case
     * @return whether there was news
     */
    boolean spin(Look look, int looksPerClock, long longestNs) {
        if (look.isReady()) {
            return true;
        }
        if (mode == SpinMode.NEVER) {
            return false;
        }
        if (isEndless()) {
            return lookForEver(look, looksPerClock, longestNs);
        }
        if (look.sharesProcessor()) {
            // Whom the kernel wakes it may put on another one.
            return false;
        }
        boolean paid = look(look, looksPerClock, Math.min(budgetNs, longestNs));
        if (paid) {
            grow(1);
        } else {
            budgetNs = Math.max(mostNs() >> FLOOR_SHIFT, budgetNs >> 1);
        }
        return paid;
    }

    /** Whether the calling thread never sleeps. A virtual one must: others wait for its carrier, and may never get it. */
    boolean isEndless() {
        return mode == SpinMode.ALWAYS && !Thread.currentThread().isVirtual();
    }

    /**
     * Beyond the first few looks, which are for who has an answer within a microsecond, the clock is watched. Others have
     * to wait for this processor no longer than they would have for the news to be handled: so nothing is yielded, which
     * the scheduler would take as leave to run them for milliseconds.
     */
    private static boolean look(Look look, int looksPerClock, long longestNs) {
        if (looks(look, looksPerClock)) {
            return true;
        }
        long start = System.nanoTime();
        do {
            if (looks(look, looksPerClock)) {
                return true;
            }
        } while (System.nanoTime() - start < longestNs);
        return false;
    }

    @SuppressWarnings("ThreadPriorityCheck")
    private static boolean lookForEver(Look look, int looksPerClock, long longestNs) {
        long start = System.nanoTime();
        while (!look(look, looksPerClock, Math.min(YIELD_NS, longestNs))) {
            if (System.nanoTime() - start >= longestNs) {
                return false;
            }
            Thread.yield();
        }
        return true;
    }

    private static boolean looks(Look look, int count) {
        for (int i = 0; i < count; i++) {
            Thread.onSpinWait();
            if (look.isReady()) {
                return true;
            }
        }
        return false;
    }

    /** Tells how long a sleep was that ended with news: whether a spin would have found them. */
    void slept(long ns) {
        if (ns - cost.getAsLong() < mostNs()) {
            // By more than it lost for not having found them.
            grow(2);
        }
    }

    private void grow(int shift) {
        budgetNs = Math.min(mostNs(), budgetNs << shift);
    }

    long budgetNs() {
        return budgetNs;
    }
}
