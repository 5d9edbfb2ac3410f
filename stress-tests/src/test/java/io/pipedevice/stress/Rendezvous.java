// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.stress;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets the two actors of a state begin at the same time. Without it, actors that take long, or have different
 * durations, overlap in few of the states.
 */
public final class Rendezvous {
    /** An actor that spins more often than this, because the other has no processor, continues alone. */
    private static final int MOST_SPINS = 2000;

    private final AtomicInteger arrived = new AtomicInteger();

    /** Waits for the other actor. */
    public void meet() {
        arrived.incrementAndGet();
        for (int i = 0; i < MOST_SPINS && arrived.get() < 2; i++) {
            Thread.onSpinWait();
        }
    }
}
