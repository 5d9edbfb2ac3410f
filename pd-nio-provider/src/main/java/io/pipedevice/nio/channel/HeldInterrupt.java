// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

/**
 * The interrupt of a thread in a call that ignores it: the thread gets it back when the call is over. Belongs to the
 * thread of the call.
 */
final class HeldInterrupt implements AutoCloseable {
    private final boolean ignored;
    private boolean held;

    /** @param ignored whether the call ignores interrupts; else the thread keeps its own */
    HeldInterrupt(boolean ignored) {
        this.ignored = ignored;
    }

    /** Takes the interrupt from the calling thread, if there is one to ignore; whether there was. */
    boolean take() {
        boolean taken = ignored && Thread.interrupted();
        held |= taken;
        return taken;
    }

    /** Keeps an interrupt that a wait has taken from the calling thread. */
    void hold() {
        held = true;
    }

    @Override
    public void close() {
        if (held) {
            Thread.currentThread().interrupt();
        }
    }
}
