// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

/**
 * What a thread sleeps on: a doorbell that the driver rings, a flag that other threads of this process raise, and the end
 * of the control connection. The first two may be raised without need; the sleeper looks again. {@link #signal} is thread
 * safe, the rest is the sleeper's.
 */
abstract class Waiter {
    /** The doorbell's number, for arm words. */
    final int doorbell;

    Waiter(int doorbell) {
        this.doorbell = doorbell;
    }

    /** What to add to the interest in a reader's or writer's arm word. */
    abstract int armBits();

    /** Sleeps until doorbell or flag, or for some time, and lowers both. */
    abstract void sleep(long nanos) throws PdException;

    /** Wakes the sleeper, or the next one. */
    abstract void signal();

    /** The sleeper has disarmed and goes. */
    abstract void leave();
}
