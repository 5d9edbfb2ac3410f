// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import java.util.concurrent.TimeUnit;

/**
 * The spin of a wait while other threads want the processors. It pays if the thread that will end the wait runs now, as
 * two programs do that answer each other while compilers of their JVMs take turns beside them. It does not if that
 * thread is one of those that want a processor. Whether it pays is learnt from the last spins. Used by one thread at a
 * time.
 */
final class ShortSpin {
    /**
     * The longest time of a spin. A wake-up costs less, so that a thread that has woken the other one is still awake when
     * that answers. If both threads spin seldom, one of them then learns that it pays, and the other one learns it from
     * its quick answers.
     */
    static final long LONGEST_NS = TimeUnit.MICROSECONDS.toNanos(25);

    /** A spin that pays gains about twice what one in vain costs, because the other thread need not ring either. */
    private static final int GAIN = 2;

    private static final int MOST_CREDIT = 16;

    /** The credit below which only each {@link #SELDOM}th wait spins. */
    private static final int ENOUGH_CREDIT = 4;

    private static final int FIRST_CREDIT = 8;
    static final int SELDOM = 64;

    private int credit = FIRST_CREDIT;

    /** The waits without a spin since the last one. */
    private int skipped;

    /**
     * Looks at a condition, for a short time if that has paid.
     *
     * @param look checks the condition once
     * @param looksPerClock how many looks take about a microsecond
     * @param longestNs upper bound of the time
     * @return whether the condition held
     */
    boolean spin(SpinPolicy.Look look, int looksPerClock, long longestNs) {
        if (credit < ENOUGH_CREDIT && ++skipped < SELDOM) {
            return look.isReady();
        }
        skipped = 0;
        boolean paid = lookUpTo(look, looksPerClock, Math.min(LONGEST_NS, longestNs));
        credit = paid ? Math.min(MOST_CREDIT, credit + GAIN) : Math.max(0, credit - 1);
        return paid;
    }

    private static boolean lookUpTo(SpinPolicy.Look look, int looksPerClock, long longestNs) {
        long start = System.nanoTime();
        boolean ready = SpinPolicy.looks(look, 1);
        long passed = System.nanoTime() - start;
        int looks = passed > SpinPolicy.SLOW_LOOK_NS ? 1 : looksPerClock;
        while (!ready && passed < longestNs) {
            ready = SpinPolicy.looks(look, looks);
            passed = System.nanoTime() - start;
        }
        return ready;
    }
}
