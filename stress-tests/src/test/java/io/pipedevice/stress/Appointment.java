// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.stress;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets two actors that wait for each other begin at the same time, or not at all: before jcstress begins, it runs one
 * actor after the other.
 */
public final class Appointment {
    private static final int MOST_SPINS = 20_000;
    private static final int ALONE = -2;

    /** 2 if both actors have arrived; negative if one arrived after the other had given up. */
    private final AtomicInteger arrived = new AtomicInteger();

    /**
     * Waits for the other actor.
     *
     * @return whether it has come, and finds this one
     */
    public boolean meet() {
        int count = arrived.incrementAndGet();
        for (int i = 0; i < MOST_SPINS && arrived.get() == 1; i++) {
            Thread.onSpinWait();
        }
        return count > 0 && !arrived.compareAndSet(1, ALONE);
    }
}
