// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;

/**
 * The doorbell that waits without a doorbell of their own share: those of virtual threads, those of threads that found
 * no descriptor for one, and those for sockets that several epoll instances watch. It is opened at attach if a
 * descriptor is left, else when the first such wait needs it. The watching thread hands out the driver's events, each
 * of which names its socket. Thread safe.
 */
final class Parking implements AutoCloseable {
    private static final LazyLogger LOG = new LazyLogger(Parking.class);
    private static final int NONE = -1;

    private final Link link;
    private final ControlChannel control;
    private final Waiters waiters;
    private final EventQueue events;
    private final SocketTable<?> sockets;

    /** The doorbell's number. Changed under the control lock, as all that follows. */
    private volatile int number = NONE;

    /** Kept if it cannot be watched yet, because the driver keeps its end, too. */
    private Doorbell doorbell;

    private FdWatch bellWatch;
    private FdWatch controlWatch;

    Parking(Link link, ControlChannel control, Waiters waiters, EventQueue events, SocketTable<?> sockets) {
        this.link = link;
        this.control = control;
        this.waiters = waiters;
        this.events = events;
        this.sockets = sockets;
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
            LOG.get().log(System.Logger.Level.DEBUG, "no doorbell for virtual threads yet", e);
        }
    }

    /** Opens the doorbell if it is not open; returns its number. */
    int open() throws PdException {
        int opened = number;
        return opened == NONE ? openNow() : opened;
    }

    private int openNow() throws PdException {
        control.lock();
        try {
            link.check();
            if (number == NONE) {
                try {
                    controlWatch = FdWatch.open(control.socket().fd(), Epoll.RDHUP | Epoll.ONESHOT, this::ended);
                    if (doorbell == null) {
                        doorbell = waiters.openDoorbell();
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

    private void rung(int raised) {
        if (doorbell.bell().drain() < 0) {
            bellWatch.close();
            ended(raised);
            return;
        }
        try {
            events.drain();
        } catch (IllegalStateException e) {
            if (!link.isBroken()) {
                throw e;
            }
        }
    }

    private void ended(int raised) {
        control.ended();
        sockets.wakeAll();
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

    /** No thread sleeps any more. Under the control lock. */
    @Override
    public void close() {
        unwatch();
        if (doorbell != null) {
            doorbell.bell().close();
        }
    }
}
