// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import io.pipedevice.queue.EntryRingConsumer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The driver's events for this process. A thread that finds some hands all of them to the epoll instances and the parked
 * threads that they are for. Thread safe.
 */
final class EventQueue {
    private final ReentrantLock lock = new ReentrantLock();
    private final EntryRingConsumer ring;
    private final AtomicReferenceArray<SocketCore> sockets;
    private final ReceiveRegions regions;
    private final Command event = new Command();

    EventQueue(Pages pages, AtomicReferenceArray<SocketCore> sockets, ReceiveRegions regions) {
        this.sockets = sockets;
        this.regions = regions;
        this.ring = new EntryRingConsumer(
                pages.driver.memory().asSlice(DriverPageDescriptor.EVENTS_OFFSET),
                DriverPageDescriptor.eventDepth(pages.maxSockets),
                pages.lib.memory(),
                LibPageDescriptor.EVENTS_CONSUMED_OFFSET);
    }

    /** A look without the lock: may be wrong while another thread drains, and is right again afterwards. */
    boolean hasEvents() {
        return !ring.isEmpty();
    }

    /** Hands out what is there; what another thread has taken out is perhaps still in its hands. */
    void drain() {
        if (hasEvents()) {
            settle();
        }
    }

    /** Hands out what is there, and returns when everything that was there before is handed out, by whomever. */
    void settle() {
        lock.lock();
        try {
            while (ring.poll(event)) {
                dispatch();
            }
            ring.flush();
        } finally {
            lock.unlock();
        }
    }

    private void dispatch() {
        if (event.type() == CommandType.EVENT) {
            SocketCore socket = event.connectionId() < sockets.length() ? sockets.get(event.connectionId()) : null;
            if (socket != null) {
                socket.served(event.length());
            }
        } else if (event.type() == CommandType.REGION_DROPPED) {
            regions.dropped((int) event.source());
        }
    }
}
