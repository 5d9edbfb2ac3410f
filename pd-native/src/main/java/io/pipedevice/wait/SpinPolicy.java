// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.SpinMode;
import java.util.function.LongSupplier;

/**
 * How long one kind of wait looks before it sleeps: at most about what a wake-up costs, half as long after each time that it
 * did not pay, and longer again when it does or would have. Used by one thread at a time.
 */
public final class SpinPolicy {
    /** Something that can be looked at without a system call. */
    public interface Look {
        /**
         * Whether there is no need to look any longer.
         *
         * @return whether it is ready
         */
        boolean isReady();

        /**
         * Whether it becomes ready only when the calling thread gives up its processor.
         *
         * @return false if that is unknown
         */
        default boolean sharesProcessor() {
            return false;
        }
    }

    /** A thread that never sleeps gives way to those that wait for this very processor, after so long. */
    private static final long YIELD_NS = 10_000;

    private static final int FLOOR_SHIFT = 5;

    /** To fall asleep and to ring cost too. And two that wake each other must be able to meet awake. */
    private static final int MORE_THAN_LATENCY_SHIFT = 1;

    /** A look that takes longer is by code that is not compiled yet, and 16 of them would exceed the budget many times. */
    private static final long SLOW_LOOK_NS = 1_000;

    /**
     * No look takes so long: the kernel ran another thread meanwhile, so that there are more threads than processors. On a
     * host with many processes, threads that spin then keep the peers from running that they wait for.
     */
    private static final long PREEMPTED_NS = 500_000;

    /** A thread that was preempted in a spin does not spin for this time, and for twice as long if it is again soon after. */
    private static final long LEAST_PAUSE_NS = 10_000_000;

    private static final long MOST_PAUSE_NS = 160_000_000;

    private final SpinMode mode;

    /** Null if the longest spin is configured. */
    private final LongSupplier cost;

    private final long configuredNs;
    private final long preemptedNs;
    private long budgetNs;

    /** Whether the last spin was preempted, and when the next may begin then. */
    private boolean preempted;

    private long nextSpinNs;

    /** The last pause, 0 before the first. */
    private long pauseNs;

    private SpinPolicy(SpinMode mode, LongSupplier cost, long configuredNs, long preemptedNs) {
        this.mode = mode;
        this.cost = cost;
        this.configuredNs = configuredNs;
        this.preemptedNs = preemptedNs;
        budgetNs = mostNs();
    }

    /**
     * A policy of waits that end by what another application thread does: it gives its processor to no other thread, unless
     * it spins always.
     *
     * @param mode how it spins
     * @param cost what a wake-up costs now, in nanoseconds
     * @return a policy that has not spun yet
     */
    public static SpinPolicy byCost(SpinMode mode, LongSupplier cost) {
        return byCost(mode, cost, PREEMPTED_NS);
    }

    /** For tests: a policy that takes a thread as preempted after another time. */
    static SpinPolicy byCost(SpinMode mode, LongSupplier cost, long preemptedNs) {
        return new SpinPolicy(mode, cost, 0, preemptedNs);
    }

    /**
     * A policy of waits for what a third thread brings, a driver's. As there may be fewer processors than these threads, it
     * yields between looks: the thread that it waits for may be waiting for this very processor.
     *
     * @param mostNanos longest spin, 0 for none
     * @return a policy that has not spun yet
     */
    public static SpinPolicy upTo(long mostNanos) {
        return new SpinPolicy(mostNanos == 0 ? SpinMode.NEVER : SpinMode.ADAPTIVE, null, mostNanos, Long.MAX_VALUE);
    }

    /**
     * Whether it wants to be told of {@linkplain #slept sleeps}.
     *
     * @return whether their length matters
     */
    public boolean measures() {
        return mode == SpinMode.ADAPTIVE && cost != null;
    }

    /** The longest spin that pays. */
    private long mostNs() {
        if (cost == null) {
            return configuredNs;
        }
        long latency = cost.getAsLong();
        return latency + (latency >> MORE_THAN_LATENCY_SHIFT);
    }

    /**
     * Looks until something is ready or it does not pay to look any longer.
     *
     * @param look looks once
     * @param looksPerClock how many looks take about a microsecond: how often the clock is looked at
     * @param longestNs longest time in any case
     * @return whether something was ready
     */
    public boolean spin(Look look, int looksPerClock, long longestNs) {
        if (look.isReady()) {
            return true;
        }
        if (mode == SpinMode.NEVER) {
            return false;
        }
        if (isEndless()) {
            return lookForEver(look, looksPerClock, longestNs);
        }
        if (preempted && isTooSoon()) {
            return false;
        }
        if (look.sharesProcessor()) {
            // A thread that the kernel wakes may get another one.
            return false;
        }
        boolean paid = look(look, looksPerClock, Math.min(budgetNs, longestNs), cost == null);
        if (paid) {
            grow(1);
        } else {
            budgetNs = Math.max(mostNs() >> FLOOR_SHIFT, budgetNs >> 1);
        }
        return paid;
    }

    /** This spin was preempted. */
    private void pause(long now) {
        boolean again = pauseNs > 0 && now - nextSpinNs < pauseNs;
        pauseNs = again ? Math.min(pauseNs << 1, MOST_PAUSE_NS) : LEAST_PAUSE_NS;
        nextSpinNs = now + pauseNs;
        preempted = true;
    }

    private boolean isTooSoon() {
        preempted = System.nanoTime() - nextSpinNs < 0;
        return preempted;
    }

    /**
     * Whether the calling thread never sleeps. A virtual one must: others wait for its carrier, and may never get it.
     *
     * @return whether it spins always
     */
    public boolean isEndless() {
        return mode == SpinMode.ALWAYS && !Thread.currentThread().isVirtual();
    }

    /**
     * The clock is watched after about a microsecond of looks. Other threads have to wait for this processor no longer than
     * they would have for what is found to be handled. So a spin does not yield as a rule, which the scheduler would take as
     * leave to run them for milliseconds.
     */
    @SuppressWarnings("ThreadPriorityCheck")
    private boolean look(Look look, int looksPerClock, long longestNs, boolean yields) {
        long start = System.nanoTime();
        if (looks(look, 1)) {
            return true;
        }
        long before = System.nanoTime();
        int looks = before - start > SLOW_LOOK_NS ? 1 : looksPerClock;
        while (true) {
            if (yields) {
                Thread.yield();
            }
            if (looks(look, looks)) {
                return true;
            }
            long now = System.nanoTime();
            if (now - before > preemptedNs) {
                pause(now);
                return false;
            }
            if (now - start >= longestNs) {
                return false;
            }
            before = now;
        }
    }

    @SuppressWarnings("ThreadPriorityCheck")
    private boolean lookForEver(Look look, int looksPerClock, long longestNs) {
        long start = System.nanoTime();
        while (!look(look, looksPerClock, Math.min(YIELD_NS, longestNs), false)) {
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

    /**
     * Tells how long a sleep was that ended with something ready: whether a spin would have found it.
     *
     * @param ns its length, in nanoseconds
     */
    public void slept(long ns) {
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
