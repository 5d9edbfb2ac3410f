// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of this process that spin for longer than a moment. While there are more of them than for half of the
 * processors, the peers that they wait for may have no processor. Then all of them stop spinning, and for a while none
 * begins. Thread safe.
 */
public final class Spinners {
    /** The spinning threads of this process. */
    public static final Spinners OF_PROCESS =
            new Spinners(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));

    /** Two threads that are awake answer each other within this time, whatever other threads do. */
    static final long MOMENT_NS = TimeUnit.MICROSECONDS.toNanos(3);

    static final long CROWDED_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final int most;
    private final AtomicInteger spinning = new AtomicInteger();

    /** When there were too many the last time. */
    private volatile long crowdedNs = System.nanoTime() - CROWDED_NS;

    /**
     * @param most how many may spin at a time
     */
    Spinners(int most) {
        this.most = most;
    }

    /**
     * A thread has spun for a moment. It must {@link #leave} at the end, also if it finds a crowd.
     *
     * @param now in nanoseconds
     */
    public void enter(long now) {
        if (spinning.incrementAndGet() > most) {
            crowdedNs = now;
        }
    }

    /** A thread that has entered spins no longer. */
    public void leave() {
        spinning.decrementAndGet();
    }

    /**
     * Whether there are, or were a short time ago, too many.
     *
     * @param now in nanoseconds
     * @return true if the calling thread should sleep rather than spin
     */
    public boolean isCrowded(long now) {
        return now - crowdedNs < CROWDED_NS;
    }
}
