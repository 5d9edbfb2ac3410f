// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.wait.SpinPolicy;
import java.util.concurrent.TimeUnit;

/**
 * The connection of this process to a driver: link, pages, queues, memory and doorbells, which the sockets of an
 * {@link Attachment} share. Thread safe.
 */
final class DriverSession implements AutoCloseable {
    /** After so many looks in vain, a call asks the kernel whether the driver is there. */
    static final int LOOKS_BEFORE_CHECK = 1 << 16;

    private static final int STREAM_SPIN_DIVISOR = 5;

    private final Link link;
    private final ControlChannel control;
    private final Pages pages;
    private final int spinMicros;
    private final boolean growingRings;
    private final boolean closesIdle;
    private final Requests requests;
    private final SendMemory sendMemory;
    private final ReceiveRegions receiveRegions;
    private final EventQueue events;
    private final Waiters waiters;
    private final Parking parking;
    private final WaitSets waitSets = new WaitSets();

    DriverSession(Link link, ControlChannel control, Pages pages, SocketTable<?> sockets, PdOptions options) {
        this.link = link;
        this.control = control;
        this.pages = pages;
        this.spinMicros = options.spinMicros();
        this.growingRings = options.growingRings();
        this.closesIdle = options.closesIdle();
        this.requests = new Requests(link, control, pages);
        this.sendMemory = new SendMemory(link, control, pages, options);
        this.receiveRegions = new ReceiveRegions(link);
        this.events = new EventQueue(pages, sockets, receiveRegions);
        this.waiters = new Waiters(link, control);
        this.parking = new Parking(link, control, waiters, events, sockets);
    }

    Link link() {
        return link;
    }

    boolean growingRings() {
        return growingRings;
    }

    /** Whether a socket is closed only when no thread is in a call of it. */
    boolean closesIdle() {
        return closesIdle;
    }

    /** Most bytes of a new ring that are used at first. */
    int ringStart() {
        return growingRings ? RingBuffer.MIN_SIZE : RingBuffer.MAX_SIZE;
    }

    ControlChannel control() {
        return control;
    }

    Pages pages() {
        return pages;
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

    WaitSets waitSets() {
        return waitSets;
    }

    /**
     * Lends the calling thread what it sleeps on; null if it is to park, and to arm with the doorbell of the parking.
     */
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

    SpinPolicy newSpinPolicy() {
        return SpinPolicy.upTo(TimeUnit.MICROSECONDS.toNanos(spinMicros));
    }

    /**
     * The longest spin of a thread that does not wait for an answer. In a stream, sender, driver and receiver are three
     * busy threads. On two processors the kernel moves a waiting one of them to another processor only when the thread
     * there sleeps.
     */
    long streamSpinNs() {
        return TimeUnit.MICROSECONDS.toNanos(spinMicros) / STREAM_SPIN_DIVISOR;
    }

    /** Fails if the driver is gone; one system call. */
    void checkDriver() throws PdException {
        control.checkDriver();
    }

    /** Detaches, and frees everything. No socket is open. Under the control lock. */
    @Override
    public void close() {
        link.release(Errno.EBADF);
        parking.close();
        waiters.close();
        control.close();
        sendMemory.close();
        receiveRegions.close();
        pages.close();
    }
}
