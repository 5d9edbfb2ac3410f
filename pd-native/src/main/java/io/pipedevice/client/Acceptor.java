// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.LibPageDescriptor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** The accepting side of a listening socket. Thread safe; one thread at a time sleeps, the others wait for it. */
final class Acceptor {
    private final SocketCore core;
    private final SocketSlot slot;
    private final DriverWait wait;
    private final ReentrantLock sleeping = new ReentrantLock();

    /** How often there was nothing to accept: what an edge-triggered watcher waits for counts from there. */
    private final AtomicInteger emptyLooks = new AtomicInteger();

    Acceptor(SocketCore core) {
        this.core = core;
        this.slot = core.slot;
        this.wait = new DriverWait(core, LibPageDescriptor.READ_ARM_OFFSET, ArmWord.IN);
    }

    PdSocket accept() throws PdException {
        SocketCore accepted =
                slot.backlog() == 0 ? null : core.attachment.socketControl().accept(core);
        if (accepted != null) {
            return accepted.socket;
        }
        core.attachment.link().check();
        if (emptyLooks.incrementAndGet() % Attachment.LOOKS_BEFORE_CHECK == 0) {
            core.attachment.checkDriver();
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

    /** Waits for the thread that sleeps, which leaves when it has a connection or the socket is closed. */
    private boolean lock(long timeoutNs) {
        long start = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return sleeping.tryLock(timeoutNs - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    // As every other call here: what ends a wait is time, or close.
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
