// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.memory.ArmWord;
import java.util.concurrent.locks.LockSupport;

/** For a thread without a doorbell, which parks; a virtual one's carrier runs others: {@link Parking} hears for it. */
final class ParkWaiter extends Waiter {
    private final Attachment attachment;
    private final Thread sleeper = Thread.currentThread();
    private volatile boolean signalled;

    ParkWaiter(Attachment attachment, int doorbell) {
        super(doorbell);
        this.attachment = attachment;
    }

    @Override
    int armBits() {
        return ArmWord.EVENT;
    }

    @Override
    void sleep(long nanos) {
        long start = System.nanoTime();
        long left = nanos;
        boolean interrupted = false;
        while (!signalled && left > 0) {
            if (nanos == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, left);
                left = nanos - (System.nanoTime() - start);
            }
            // As every other call here: what ends a wait is time, or close.
            interrupted |= Thread.interrupted();
        }
        signalled = false;
        if (interrupted) {
            sleeper.interrupt();
        }
        leave();
    }

    @Override
    void signal() {
        signalled = true;
        LockSupport.unpark(sleeper);
    }

    /** The event that this arming may have brought is taken out, so that those of many armings never fill the ring. */
    @Override
    void leave() {
        attachment.events().drain();
    }
}
