// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.wait.Readiness;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** The accepting side of a listening socket. Thread safe; one thread at a time sleeps, the others wait for it. */
final class Acceptor {
    /** Takes a connection that waits. */
    interface Backlog {
        /** Takes the oldest connection; null if there is none. */
        PdSocket take() throws PdException;
    }

    private final DriverSession session;
    private final SocketSlot slot;
    private final Backlog backlog;
    private final DriverWait wait;
    private final ReentrantLock sleeping = new ReentrantLock();

    /**
     * How often there was nothing to accept. An edge-triggered watcher waits for a connection after the last such look.
     */
    private final AtomicInteger emptyLooks = new AtomicInteger();

    Acceptor(DriverSession session, SocketSlot slot, Readiness socket, Backlog backlog) {
        this.session = session;
        this.slot = slot;
        this.backlog = backlog;
        this.wait = new DriverWait(session, slot, socket, LibPageDescriptor.READ_ARM_OFFSET, ArmWord.IN);
    }

    PdSocket accept() throws PdException {
        PdSocket accepted = slot.backlog() == 0 ? null : backlog.take();
        if (accepted != null) {
            return accepted;
        }
        session.link().check();
        if (emptyLooks.incrementAndGet() % DriverSession.LOOKS_BEFORE_CHECK == 0) {
            session.checkDriver();
        }
        return null;
    }

    PdSocket accept(long timeoutNs) throws PdException {
        PdSocket accepted = accept();
        if (accepted != null || timeoutNs == 0) {
            return accepted;
        }
        long start = System.nanoTime();
        if (!lock(timeoutNs)) {
            return null;
        }
        try {
            long left = timeoutNs;
            while (left > 0 && wait.await(left)) {
                accepted = accept();
                if (accepted != null) {
                    return accepted;
                }
                left = timeoutNs == Long.MAX_VALUE ? timeoutNs : timeoutNs - (System.nanoTime() - start);
            }
            return null;
        } finally {
            sleeping.unlock();
        }
    }

    /** Waits until the sleeping thread leaves: when it has a connection, or when the socket is closed. */
    private boolean lock(long timeoutNs) {
        long start = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return sleeping.tryLock(timeoutNs - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    // As in every other call here, only the timeout and close end a wait.
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Differs from an earlier value if a connection may have come. Any thread. */
    long edge() {
        return (long) emptyLooks.get() << 32 | (slot.backlog() & 0xFFFFFFFFL);
    }

    void wake() {
        wait.wake();
    }
}
