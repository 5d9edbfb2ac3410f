// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

/**
 * The cost of a wake-up by one peer process: the time from the peer's ring until the sleeper runs, as a moving average.
 * Each link has its own, because the time of the ring comes from the peer. Thread safe; one of two simultaneous
 * measurements may be lost.
 */
public final class WakeUpCost {
    /** The assumed cost before the first measurement, in nanoseconds. */
    public static final long UNMEASURED_NS = 50_000;

    private static final long LEAST_NS = 1_000;
    private static final long MOST_NS = 100_000;
    private static final int WEIGHT_SHIFT = 3;

    private volatile long averageNs = UNMEASURED_NS;

    /** Creates a cost without measurements. */
    public WakeUpCost() {}

    /**
     * Adds a measurement.
     *
     * @param ns may depend on the peer, so it is bounded
     */
    public void measured(long ns) {
        long sample = Math.clamp(ns, LEAST_NS, MOST_NS);
        long before = averageNs;
        averageNs = before + ((sample - before) >> WEIGHT_SHIFT);
    }

    /**
     * The average cost of a wake-up.
     *
     * @return in nanoseconds
     */
    public long nanos() {
        return averageNs;
    }
}
