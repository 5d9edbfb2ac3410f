// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.linux.Errno;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.wait.SpinPolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Everything that belongs to one attachment to a driver. Thread safe. */
final class Attachment implements AutoCloseable {
    /** After so many looks in vain, a call asks the kernel whether the driver is there. */
    static final int LOOKS_BEFORE_CHECK = 1 << 16;

    private final Link link;
    private final ControlChannel control;
    private final Pages pages;
    private final int containerId;
    private final int spinMicros;
    private final Requests requests;
    private final SendMemory sendMemory;
    private final ReceiveRegions receiveRegions;
    private final EventQueue events;
    private final Waiters waiters;
    private final Parking parking;
    private final SocketControl socketControl;
    private final AtomicReferenceArray<SocketCore> sockets;
    private final Set<DriverWaitSet> epolls = new HashSet<>();

    Attachment(Link link, ControlChannel control, Pages pages, int containerId, PdOptions options) {
        this.link = link;
        this.control = control;
        this.pages = pages;
        this.containerId = containerId;
        this.spinMicros = options.spinMicros();
        this.sockets = new AtomicReferenceArray<>(pages.maxSockets);
        this.requests = new Requests(link, control, pages);
        this.sendMemory = new SendMemory(link, control, pages, options);
        this.receiveRegions = new ReceiveRegions(link);
        this.events = new EventQueue(pages, sockets, receiveRegions);
        this.waiters = new Waiters(link, control);
        this.parking = new Parking(this);
        this.socketControl = new SocketControl(this);
    }

    Link link() {
        return link;
    }

    ControlChannel control() {
        return control;
    }

    Pages pages() {
        return pages;
    }

    int containerId() {
        return containerId;
    }

    Requests requests() {
        return requests;
    }

    SendMemory sendMemory() {
        return sendMemory;
    }

    ReceiveRegions receiveRegions() {
        return receiveRegions;
    }

    EventQueue events() {
        return events;
    }

    Waiters waiters() {
        return waiters;
    }

    Parking parking() {
        return parking;
    }

    /** Lends the calling thread what it sleeps on; null if it is to park, and to arm with the doorbell of the parking. */
    ThreadWaiter takeWaiter() throws PdException {
        if (Thread.currentThread().isVirtual()) {
            parking.open();
            return null;
        }
        try {
            return waiters.borrow();
        } catch (PdException e) {
            // However many threads sleep, TCP refuses none of them.
            if (parking.isOpen() && Errno.isExhausted(e.errno())) {
                return null;
            }
            throw e;
        }
    }

    SocketControl socketControl() {
        return socketControl;
    }

    SpinPolicy newSpinPolicy() {
        return SpinPolicy.upTo(TimeUnit.MICROSECONDS.toNanos(spinMicros));
    }

    /** Fails if the driver is gone; one system call. */
    void checkDriver() throws PdException {
        control.checkDriver();
    }

    void register(SocketCore socket) {
        sockets.set(socket.sid, socket);
    }

    /** Forgets a socket; false if that was done before. */
    boolean unregister(SocketCore socket) {
        return sockets.compareAndSet(socket.sid, socket, null);
    }

    /** Makes every sleeping thread look again: what it waits for will not come. */
    void wakeAll() {
        for (int i = 0; i < sockets.length(); i++) {
            SocketCore socket = sockets.get(i);
            if (socket != null) {
                socket.wakeSleepers(ArmWord.IN | ArmWord.OUT);
                socket.touchEpoll();
            }
        }
    }

    DriverEpoll newEpoll() throws PdException {
        DriverEpoll epoll = new DriverEpoll(this);
        synchronized (epolls) {
            epolls.add(epoll);
        }
        return epoll;
    }

    void unregister(DriverWaitSet epoll) {
        synchronized (epolls) {
            epolls.remove(epoll);
        }
    }

    /** Closes all sockets, then detaches and frees everything. */
    @Override
    public void close() {
        closeSockets();
        List<DriverWaitSet> left;
        synchronized (epolls) {
            left = new ArrayList<>(epolls);
        }
        left.forEach(DriverWaitSet::close);
        control.lock();
        try {
            // A socket that was opened or accepted while the others were closed.
            closeSockets();
            link.release(Errno.EBADF);
            parking.close();
            waiters.close();
            control.close();
            sendMemory.close();
            receiveRegions.close();
            pages.close();
        } finally {
            control.unlock();
        }
    }

    private void closeSockets() {
        for (int i = 0; i < sockets.length(); i++) {
            SocketCore socket = sockets.get(i);
            if (socket != null) {
                boolean abort = socket.options.abortsOnClose();
                socket.close(abort);
                // What another thread has begun must be over before the memory goes.
                socket.finishClose(abort);
            }
        }
    }
}
