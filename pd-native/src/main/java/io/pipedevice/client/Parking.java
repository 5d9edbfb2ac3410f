// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;

/**
 * The doorbell of those who have none of their own: virtual threads that sleep, threads that found no descriptor left for
 * one, and sockets that several epoll instances watch. It is opened at attach, while there are descriptors, or else when the
 * first of them needs it. The thread that hears it hands out the driver's events, each of which names its socket. Thread
 * safe.
 */
final class Parking implements AutoCloseable {
    private static final LazyLogger LOG = new LazyLogger(Parking.class);
    private static final int NONE = -1;

    private final Attachment attachment;
    private final ControlChannel control;

    /** The doorbell's number. Changed under the control lock, as all that follows. */
    private volatile int number = NONE;

    /** Kept if it cannot be heard yet: the driver keeps it, too. */
    private Doorbell doorbell;

    private FdWatch bellWatch;
    private FdWatch controlWatch;

    Parking(Attachment attachment) {
        this.attachment = attachment;
        this.control = attachment.control();
    }

    boolean isOpen() {
        return number != NONE;
    }

    /** The number of the opened doorbell. */
    int number() {
        return number;
    }

    /** Opens the doorbell if that can be done. */
    void openEarly() {
        try {
            open();
        } catch (PdException e) {
            LOG.get().log(System.Logger.Level.DEBUG, "no doorbell for those who find no other", e);
        }
    }

    /** The doorbell's number; it is opened if it was not. */
    int open() throws PdException {
        int opened = number;
        return opened == NONE ? openNow() : opened;
    }

    private int openNow() throws PdException {
        control.lock();
        try {
            attachment.link().check();
            if (number == NONE) {
                try {
                    controlWatch = FdWatch.open(control.socket().fd(), Epoll.RDHUP | Epoll.ONESHOT, this::ended);
                    if (doorbell == null) {
                        doorbell = attachment.waiters().openDoorbell();
                    }
                    bellWatch = FdWatch.open(doorbell.bell().fd(), Epoll.IN, this::rung);
                    number = doorbell.number();
                } catch (LinuxException e) {
                    throw PdException.wrap("cannot wait for virtual threads", e);
                } finally {
                    if (number == NONE) {
                        unwatch();
                    }
                }
            }
            return number;
        } finally {
            control.unlock();
        }
    }

    private void rung(int events) {
        if (doorbell.bell().drain() < 0) {
            bellWatch.close();
            ended(events);
            return;
        }
        try {
            attachment.events().drain();
        } catch (IllegalStateException e) {
            if (!attachment.link().isBroken()) {
                throw e;
            }
        }
    }

    private void ended(int events) {
        control.ended();
        attachment.wakeAll();
    }

    private void unwatch() {
        if (controlWatch != null) {
            controlWatch.close();
            controlWatch = null;
        }
        if (bellWatch != null) {
            bellWatch.close();
            bellWatch = null;
        }
    }

    /** Nobody sleeps any more. Under the control lock. */
    @Override
    public void close() {
        unwatch();
        if (doorbell != null) {
            doorbell.bell().close();
        }
    }
}
