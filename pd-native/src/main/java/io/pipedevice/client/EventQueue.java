// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import io.pipedevice.queue.EntryRingConsumer;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The driver's events for this process. A thread that finds some hands each of them to its socket, and so to the epoll
 * instances and the parked threads that wait for that socket. Thread safe.
 */
final class EventQueue {
    private final ReentrantLock lock = new ReentrantLock();
    private final EntryRingConsumer ring;
    private final SocketTable<?> sockets;
    private final ReceiveRegions regions;
    private final Command event = new Command();

    EventQueue(Pages pages, SocketTable<?> sockets, ReceiveRegions regions) {
        this.sockets = sockets;
        this.regions = regions;
        this.ring = new EntryRingConsumer(
                pages.driver.memory().asSlice(DriverPageDescriptor.EVENTS_OFFSET),
                DriverPageDescriptor.eventDepth(pages.maxSockets),
                pages.lib.memory(),
                LibPageDescriptor.EVENTS_CONSUMED_OFFSET);
    }

    /** Looks without the lock: the result may be wrong while another thread drains. */
    boolean hasEvents() {
        return !ring.isEmpty();
    }

    /** Hands out the events that are there. Another thread may still hand out those that it has taken. */
    void drain() {
        if (hasEvents()) {
            settle();
        }
    }

    /** Hands out the events that are there, and returns when no other thread hands out earlier ones any more. */
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
            EventTarget socket = sockets.get(event.connectionId());
            if (socket != null) {
                socket.served(event.length());
            }
        } else if (event.type() == CommandType.REGION_DROPPED) {
            regions.dropped((int) event.source());
        }
    }
}
