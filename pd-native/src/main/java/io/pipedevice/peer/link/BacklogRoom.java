// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The wait for room in the backlog of a server, which rings no bell when it accepts. Its threads look at the server's
 * memory, together about as often however many they are. Thread safe.
 */
final class BacklogRoom {
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /** A thread that has waited for long looks less often: the pause is this part of its wait. */
    private static final int PART = 8;

    private final LinkMemory own;
    private final LinkMemory peer;
    private final AtomicInteger threads = new AtomicInteger();

    /** The last wait for nothing; null before it. Any thread. */
    private volatile Vain vain;

    /** A wait in which a server accepted nothing beyond what it had accepted before. */
    private record Vain(long accepted, long nanos) {}

    BacklogRoom(LinkMemory own, LinkMemory peer) {
        this.own = own;
        this.peer = peer;
    }

    /**
     * Waits until there seems to be room: another thread may take it first, and the words of the server are checked by
     * the next attempt to connect.
     *
     * @param nanos the longest wait
     * @param goesOn asked again and again: whether the thread still wants to wait
     * @return false if there is no room in time, or the server has accepted nothing since another thread waited about
     *     as long, or the thread is interrupted
     */
    boolean await(long nanos, BooleanSupplier goesOn) {
        long begin = System.nanoTime();
        long accepted = peer.getAcquire(LinkMemoryDescriptor.ACCEPTED_OFFSET);
        Vain before = vain;
        if (before != null && before.accepted == accepted && before.nanos >= nanos / 2) {
            return false;
        }
        threads.incrementAndGet();
        try {
            for (long waited = 0; waited < nanos; waited = System.nanoTime() - begin) {
                if (!isFull()) {
                    return true;
                }
                if (Thread.currentThread().isInterrupted() || !goesOn.getAsBoolean()) {
                    return false;
                }
                LockSupport.parkNanos(this, pause(waited, nanos));
            }
        } finally {
            threads.decrementAndGet();
        }
        if (peer.getAcquire(LinkMemoryDescriptor.ACCEPTED_OFFSET) == accepted) {
            vain = new Vain(accepted, nanos);
        }
        return !isFull();
    }

    private long pause(long waited, long nanos) {
        long some = Math.max(PAUSE_NS, Math.min(LONGEST_PAUSE_NS, waited / PART));
        return Math.min(nanos - waited, Math.max(some, threads.get() * PAUSE_NS));
    }

    private boolean isFull() {
        long waiting = own.getAcquire(LinkMemoryDescriptor.POSTED_OFFSET)
                - peer.getAcquire(LinkMemoryDescriptor.ACCEPTED_OFFSET);
        return peer.getAcquire(LinkMemoryDescriptor.LISTENING_OFFSET) != 0
                && waiting == peer.getAcquire(LinkMemoryDescriptor.BACKLOG_OFFSET);
    }
}
