// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import java.util.concurrent.locks.LockSupport;

/**
 * Pauses of a thread that tries again and again, although it may be interrupted: an interrupted thread would not park.
 */
public final class Pause {
    private Pause() {}

    /**
     * Pauses for the whole time. The interrupt status stays.
     *
     * @param reason shown by tools that examine the thread
     * @param nanos the length
     */
    public static void park(Object reason, long nanos) {
        boolean interrupted = false;
        long begin = System.nanoTime();
        for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - begin)) {
            // After each attempt, too: an interrupt also ends the next park.
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(reason, left);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
