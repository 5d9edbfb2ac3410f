// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;

/** The epoll instances of {@link AttachedDevice}: a {@link DriverWaitSet} in which a thread waits for it alone. */
final class DriverEpoll extends DriverWaitSet implements PdEpoll {
    /** Any thread. */
    private volatile boolean wakeup;

    private DriverEpoll(DriverSession session) throws PdException {
        super(session);
    }

    /** Opens an instance for the sockets of a session, whose end closes it. */
    static DriverEpoll open(DriverSession session) throws PdException {
        DriverEpoll opened = new DriverEpoll(session);
        session.waitSets().add(opened);
        return opened;
    }

    @Override
    public void remove(PdSocket socket) {
        if (!discard(socket)) {
            throw new IllegalStateException(socket + " is not in this PdEpoll");
        }
    }

    @Override
    public int await(PdEvents events, long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        enter();
        try {
            return await0(events, timeoutNanos);
        } catch (IllegalStateException e) {
            requireStillOpen();
            throw e;
        } finally {
            exit();
        }
    }

    private int await0(PdEvents events, long timeoutNanos) throws PdException {
        long start = 0;
        while (true) {
            requireStillOpen();
            session.link().check();
            if (lookAlone(events) > 0) {
                return events.count();
            }
            if (wakeup) {
                wakeup = false;
                return 0;
            }
            if (timeoutNanos == 0) {
                countEmptyWait();
                return 0;
            }
            start = start == 0 ? System.nanoTime() : start;
            if (spinAlone()) {
                continue;
            }
            long left = timeoutNanos == Long.MAX_VALUE ? timeoutNanos : timeoutNanos - (System.nanoTime() - start);
            if (left <= 0) {
                return 0;
            }
            if (sleepAlone(events, left) > 0) {
                return events.count();
            }
        }
    }

    @Override
    public void wakeup() {
        wakeup = true;
        if (isAsleep()) {
            signal();
        }
    }

    @Override
    boolean isWokenUp() {
        return wakeup;
    }

    @Override
    void answerWakeUp() {
        wakeup = false;
    }

    private void requireStillOpen() throws PdException {
        if (!isOpen()) {
            throw new PdException(Errno.EBADF, "the PdEpoll was closed by another thread");
        }
    }
}
