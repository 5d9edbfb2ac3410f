// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.wait.Later;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The permit of one question: as long as it is not withdrawn, the driver may read the socket, for which it changes the
 * socket for some microseconds. So the program uses the socket only after the permit was withdrawn and the driver was
 * seen not to read it. A driver that stops in these microseconds, or dies, leaves a socket that is of no use. Thread
 * safe.
 */
final class ReadPermit {
    /** A driver that reads for so long stands still; whether it will ever run again is not known. */
    private static final long LONGEST_READ_NS = TimeUnit.SECONDS.toNanos(10);

    /** Of a driver that has ended the session it is not known at first whether it lives. */
    private static final long LAST_READ_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long LOOK_US = 200;
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final ReadPermits permits;
    /** In the memory. */
    final int slot;

    private final int request;

    /** Whether the driver was seen not to read the socket, after the permit was withdrawn. */
    private volatile boolean unread;

    /** When the permit was withdrawn; 0 before that. This and the next field are guarded by this object's monitor. */
    private long withdrawnNs;

    /** When the session was seen to be over; 0 before that. */
    private long overNs;

    ReadPermit(ReadPermits permits, int slot, int request) {
        this.permits = permits;
        this.slot = slot;
        this.request = request;
    }

    /**
     * Withdraws the permit, if that was not done before.
     *
     * @return whether the socket belongs to this process alone from now on
     */
    synchronized boolean withdraw() {
        if (withdrawnNs == 0) {
            withdrawnNs = System.nanoTime() | 1;
            permits.withdraw(slot);
        }
        if (!unread) {
            unread = !permits.isRead(request);
        }
        return unread;
    }

    /** Whether {@link #withdraw} has returned true. */
    boolean isUnread() {
        return unread;
    }

    /**
     * Withdraws the permit, and runs a task when the driver does not read the socket: at once, or later on another
     * thread. Also runs it if the driver stands still or is dead; then the socket is of no use, {@link #isUnread}.
     */
    void end(Runnable afterwards) {
        long beginNs = System.nanoTime();
        while (!withdraw()) {
            if (System.nanoTime() - beginNs > SPIN_NS) {
                Later.after(LOOK_US, TimeUnit.MICROSECONDS, () -> look(afterwards));
                return;
            }
            Thread.onSpinWait();
        }
        afterwards.run();
    }

    private void look(Runnable afterwards) {
        if (withdraw() || isHopeless()) {
            afterwards.run();
        } else {
            Later.after(LOOK_US, TimeUnit.MICROSECONDS, () -> look(afterwards));
        }
    }

    /** Withdraws the permit, and waits as {@link #end}, unless no one needs the socket any more. */
    void await(BooleanSupplier unneeded) throws InterruptedException {
        while (!withdraw() && !isHopeless() && !unneeded.getAsBoolean()) {
            TimeUnit.MICROSECONDS.sleep(LOOK_US);
        }
    }

    private synchronized boolean isHopeless() {
        long nowNs = System.nanoTime();
        if (overNs == 0 && permits.isOver()) {
            overNs = nowNs | 1;
        }
        return nowNs - withdrawnNs > LONGEST_READ_NS || (overNs != 0 && nowNs - overNs > LAST_READ_NS);
    }
}
