// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The waiters of this process: as many as threads ever slept at once. Thread safe. */
final class Waiters implements AutoCloseable {
    private final Link link;
    private final ControlChannel control;
    private final ArrayDeque<Waiter> idle = new ArrayDeque<>();
    private final List<Waiter> all = new ArrayList<>();

    Waiters(Link link, ControlChannel control) {
        this.link = link;
        this.control = control;
    }

    /** Lends a waiter to the calling thread. */
    Waiter borrow() throws PdException {
        link.check();
        synchronized (idle) {
            Waiter waiter = idle.pollLast();
            if (waiter != null) {
                return waiter;
            }
        }
        Waiter waiter = create();
        synchronized (idle) {
            all.add(waiter);
        }
        return waiter;
    }

    void giveBack(Waiter waiter) {
        synchronized (idle) {
            idle.addLast(waiter);
        }
    }

    private Waiter create() throws PdException {
        control.lock();
        try {
            control.request(ControlMessage.ADD_DOORBELL);
            int number = control.call().value();
            Fd fd = control.descriptor(0);
            if (fd == null) {
                throw link.nonsense("no doorbell came");
            }
            return open(number, fd);
        } finally {
            control.unlock();
        }
    }

    private Waiter open(int number, Fd fd) throws PdException {
        EventFd flag = null;
        try {
            flag = EventFd.open();
            return new Waiter(control, number, UnixSocket.own(UnixSocket.Type.SEQPACKET, fd), flag);
        } catch (LinuxException e) {
            fd.close();
            if (flag != null) {
                flag.close();
            }
            throw e.errno() == Errno.EPROTOTYPE || e.errno() == Errno.ENOTSOCK
                    ? link.nonsense("a doorbell that is not one")
                    : PdException.wrap("cannot make a doorbell", e);
        }
    }

    /** Closes all; nobody sleeps any more. */
    @Override
    public void close() {
        synchronized (idle) {
            all.forEach(Waiter::close);
            all.clear();
            idle.clear();
        }
    }
}
