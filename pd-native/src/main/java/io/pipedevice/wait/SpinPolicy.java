// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.SpinMode;
import java.util.function.LongSupplier;

/**
 * The time that one kind of wait spins before it sleeps: at most about the cost of a wake-up, half as long after each
 * spin that did not pay, and longer again after one that did or would have. Shorter while many threads spin ({@link
 * Spinners}), or other threads want the processors ({@link ShortSpin}). Used by one thread at a time.
 */
public final class SpinPolicy {
    /** A condition that can be checked without a system call. */
    public interface Look {
        /**
         * Whether the condition holds.
         *
         * @return true to end the spin
         */
        boolean isReady();

        /**
         * Whether the condition can hold only after the calling thread gives up its processor.
         *
         * @return false if that is unknown
         */
        default boolean sharesProcessor() {
            return false;
        }
    }

    /** The time after which a thread that never sleeps yields to threads that wait for its processor. */
    private static final long YIELD_NS = 10_000;

    private static final int FLOOR_SHIFT = 5;

    /**
     * Falling asleep and ringing cost time, too. And two threads that wake each other must have a chance to be awake
     * together.
     */
    private static final int MORE_THAN_LATENCY_SHIFT = 1;

    /**
     * A look that takes longer runs code that is not compiled yet, and 16 of them would exceed the budget many times
     * over.
     */
    static final long SLOW_LOOK_NS = 1_000;

    /**
     * A look that seems to take this time was preempted: there are more runnable threads than processors. On a host
     * with many processes, spinning threads would then keep the peers that they wait for from running.
     */
    static final long PREEMPTED_NS = 500_000;

    /**
     * A thread that was preempted in a spin does not spin for this time, and for twice as long if it is preempted again
     * soon.
     */
    private static final long LEAST_PAUSE_NS = 10_000_000;

    private static final long MOST_PAUSE_NS = 160_000_000;

    private final SpinMode mode;

    /** The present cost of a wake-up in nanoseconds; null if the longest spin is configured. */
    private final LongSupplier cost;

    private final long configuredNs;
    private final long preemptedNs;

    /** Among which this thread is counted while it spins; null if it yields. */
    private final Spinners spinners;

    /** Whose state limits the spins of this policy; null if it yields. */
    private final Processors processors;

    private final ShortSpin shortSpin = new ShortSpin();

    private long budgetNs;

    /** Whether the last spin was preempted, and so the next may begin only at {@link #nextSpinNs}. */
    private boolean preempted;

    private long nextSpinNs;

    /** The last pause, 0 before the first. */
    private long pauseNs;

    /** Whether {@link #spinners} counts this thread. */
    private boolean counted;

    /** Whether the last spin ended because of other threads. */
    private boolean crowded;

    private SpinPolicy(
            SpinMode mode,
            LongSupplier cost,
            long configuredNs,
            long preemptedNs,
            Spinners spinners,
            Processors processors) {
        this.spinners = spinners;
        this.processors = processors;
        this.mode = mode;
        this.cost = cost;
        this.configuredNs = configuredNs;
        this.preemptedNs = preemptedNs;
        budgetNs = mostNs();
    }

    /**
     * A policy for waits that an action of another application thread ends. It does not yield between looks, unless it
     * spins always.
     *
     * @param mode whether it spins
     * @param cost the present cost of a wake-up, in nanoseconds
     * @return a policy that has not spun yet
     */
    public static SpinPolicy byCost(SpinMode mode, LongSupplier cost) {
        return byCost(mode, cost, PREEMPTED_NS, Spinners.OF_PROCESS, Processors.OF_MACHINE);
    }

    /** For tests: a policy with another time after which a thread counts as preempted, and among other threads. */
    static SpinPolicy byCost(
            SpinMode mode, LongSupplier cost, long preemptedNs, Spinners spinners, Processors processors) {
        return new SpinPolicy(mode, cost, 0, preemptedNs, spinners, processors);
    }

    /**
     * A policy for waits that the thread of a driver ends. It yields between looks: with fewer processors than threads,
     * the driver's thread may be waiting for the calling thread's processor.
     *
     * @param mostNanos longest spin, 0 for none
     * @return a policy that has not spun yet
     */
    public static SpinPolicy upTo(long mostNanos) {
        SpinMode mode = mostNanos == 0 ? SpinMode.NEVER : SpinMode.ADAPTIVE;
        return new SpinPolicy(mode, null, mostNanos, Long.MAX_VALUE, null, null);
    }

    /**
     * Whether this policy needs to be notified of {@linkplain #slept sleeps}.
     *
     * @return whether their length changes the time of its spins
     */
    public boolean measures() {
        return mode == SpinMode.ADAPTIVE;
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
     * Spins until the condition holds or spinning no longer pays.
     *
     * @param look checks the condition once
     * @param looksPerClock how many looks take about a microsecond; the clock is read once for each such number
     * @param longestNs upper bound of the time
     * @return whether the condition held
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
        crowded = false;
        if (look.sharesProcessor()) {
            // If this thread blocks, the kernel may wake it on another processor.
            return false;
        }
        if (processors != null && processors.areWanted(System.nanoTime())) {
            return shortSpin.spin(look, looksPerClock, longestNs);
        }
        boolean paid;
        try {
            paid = look(look, looksPerClock, Math.min(budgetNs, longestNs), cost == null);
        } finally {
            leave();
        }
        if (paid) {
            grow(1);
        } else if (!crowded) {
            budgetNs = Math.max(mostNs() >> FLOOR_SHIFT, budgetNs >> 1);
        }
        return paid;
    }

    /** Begins a pause, because this spin was preempted. */
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
     * Whether the calling thread never sleeps. A virtual thread must sleep: other threads wait for its carrier, and
     * might never get it.
     *
     * @return whether it spins always
     */
    public boolean isEndless() {
        return mode == SpinMode.ALWAYS && !Thread.currentThread().isVirtual();
    }

    /**
     * Reads the clock after about each microsecond of looks. The spin delays other threads on this processor no longer
     * than handling an event would. So it usually does not yield: after a yield the scheduler might run them for
     * milliseconds.
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
            if (now - start >= longestNs || (now - start > Spinners.MOMENT_NS && isCrowded(now))) {
                return false;
            }
            before = now;
        }
    }

    /** Counts this thread; whether too many spin, or other threads want the processors. */
    private boolean isCrowded(long now) {
        if (spinners == null || isEndless()) {
            return false;
        }
        if (!counted) {
            counted = true;
            spinners.enter(now);
        }
        crowded = spinners.isCrowded(now) || (processors != null && processors.areWanted(now));
        return crowded;
    }

    private void leave() {
        if (counted) {
            counted = false;
            spinners.leave();
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

    static boolean looks(Look look, int count) {
        for (int i = 0; i < count; i++) {
            Thread.onSpinWait();
            if (look.isReady()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Tells this policy the length of a sleep that ended because the condition held, so that it can judge whether a
     * spin would have paid. Where the longest spin is configured, that time counts as the cost of a wake-up, too.
     *
     * @param ns its length, in nanoseconds
     */
    public void slept(long ns) {
        long latency = cost == null ? configuredNs : cost.getAsLong();
        if (ns - latency < mostNs()) {
            // This gains more than the spins in vain have lost.
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
