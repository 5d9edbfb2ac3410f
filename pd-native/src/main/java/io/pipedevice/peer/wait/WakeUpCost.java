// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

/**
 * What it costs to be woken by one peer process: the time from the moment when it rang to the moment when the sleeper ran, as
 * a moving average. Each link has its own, because the first of the two is the peer's word. Thread safe; of two measurements
 * at the same time one may be lost.
 */
public final class WakeUpCost {
    /** What a wake-up is taken to cost before it was measured, in nanoseconds. */
    public static final long UNMEASURED_NS = 50_000;

    private static final long LEAST_NS = 1_000;
    private static final long MOST_NS = 100_000;
    private static final int WEIGHT_SHIFT = 3;

    private volatile long averageNs = UNMEASURED_NS;

    /** Creates a cost that was not measured yet. */
    public WakeUpCost() {}

    /**
     * Takes a measurement.
     *
     * @param ns may be a stranger's word
     */
    public void measured(long ns) {
        long sample = Math.clamp(ns, LEAST_NS, MOST_NS);
        long before = averageNs;
        averageNs = before + ((sample - before) >> WEIGHT_SHIFT);
    }

    /**
     * What a wake-up costs.
     *
     * @return in nanoseconds
     */
    public long nanos() {
        return averageNs;
    }
}
