// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The waiters of this process: as many as the most platform threads that slept at once. Thread safe. */
final class Waiters implements AutoCloseable {
    private final Link link;
    private final ControlChannel control;
    private final ArrayDeque<ThreadWaiter> idle = new ArrayDeque<>();
    private final List<ThreadWaiter> all = new ArrayList<>();

    Waiters(Link link, ControlChannel control) {
        this.link = link;
        this.control = control;
    }

    /** Lends a waiter to the calling thread, or to an epoll instance. */
    ThreadWaiter borrow() throws PdException {
        link.check();
        synchronized (idle) {
            ThreadWaiter waiter = idle.pollLast();
            if (waiter != null) {
                return waiter;
            }
        }
        ThreadWaiter waiter = create();
        synchronized (idle) {
            all.add(waiter);
        }
        return waiter;
    }

    void giveBack(ThreadWaiter waiter) {
        synchronized (idle) {
            idle.addLast(waiter);
        }
    }

    private ThreadWaiter create() throws PdException {
        // Before the doorbell, which the driver keeps even if this process fails to use it.
        EventFd flag = openFlag();
        boolean done = false;
        try {
            Doorbell doorbell = openDoorbell();
            done = true;
            return new ThreadWaiter(control, doorbell.number(), doorbell.bell(), flag);
        } finally {
            if (!done) {
                flag.close();
            }
        }
    }

    private static EventFd openFlag() throws PdException {
        try {
            return EventFd.open();
        } catch (LinuxException e) {
            throw PdException.wrap("cannot make a doorbell", e);
        }
    }

    /** Has the driver make a doorbell, for the caller to close. */
    Doorbell openDoorbell() throws PdException {
        control.lock();
        try {
            control.request(ControlMessage.ADD_DOORBELL);
            int number = control.call().value();
            Fd fd = control.descriptor(0);
            if (fd == null) {
                throw link.nonsense("no doorbell came");
            }
            return new Doorbell(number, open(fd));
        } finally {
            control.unlock();
        }
    }

    private UnixSocket open(Fd fd) throws PdException {
        try {
            return UnixSocket.own(UnixSocket.Type.SEQPACKET, fd);
        } catch (LinuxException e) {
            fd.close();
            throw e.errno() == Errno.EPROTOTYPE || e.errno() == Errno.ENOTSOCK
                    ? link.nonsense("a doorbell that is not one")
                    : PdException.wrap("cannot make a doorbell", e);
        }
    }

    /** Closes all. No thread sleeps any more. */
    @Override
    public void close() {
        synchronized (idle) {
            all.forEach(ThreadWaiter::close);
            all.clear();
            idle.clear();
        }
    }
}
