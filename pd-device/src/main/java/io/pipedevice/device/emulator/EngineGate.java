// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import java.util.concurrent.locks.LockSupport;

/**
 * Keeps the engine's thread out of the lanes while the driver's thread works on them, without a lock on the engine's
 * path. Each side stores its own flag and then reads the other's. Volatile accesses have one total order, so both sides
 * are never inside at once.
 */
final class EngineGate {
    private static final int SPINS = 100;
    private static final long WAIT_NANOS = 10_000;

    private volatile boolean inside;
    private volatile boolean shut;

    /** Engine: enters, unless the gate is shut. */
    boolean enter() {
        inside = true;
        if (shut) {
            inside = false;
            return false;
        }
        return true;
    }

    /** Engine: leaves. */
    void leave() {
        inside = false;
    }

    /** Driver: shuts the gate, and waits until the engine is out: at most one turn of every lane. */
    void shut() {
        shut = true;
        for (int i = 0; inside; i++) {
            if (i < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(WAIT_NANOS);
            }
        }
    }

    /** Driver: opens the gate. */
    void open() {
        shut = false;
    }
}
