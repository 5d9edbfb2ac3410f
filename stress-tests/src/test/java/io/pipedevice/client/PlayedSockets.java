// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.driver.data.PlayedDriver;
import io.pipedevice.driver.data.PlayedEnd;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.protocol.StatusPageDescriptor;
import io.pipedevice.wait.EntryQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The only attachment to the {@link PlayedDriver}. Its sockets cost microseconds. Socket ids are reused cyclically;
 * there are more of them than jcstress has states at a time.
 */
final class PlayedSockets {
    /** The size of both rings of a socket; smaller than with a real driver, so the tests cost less. */
    static final int RING_SIZE = 1024;

    private static final int SOCKETS = 1 << 15;
    private static final int REQUESTS = 1 << 16;
    private static final PlayedSockets INSTANCE = new PlayedSockets();

    private final MemorySegment sendRings = Arena.global().allocate((long) SOCKETS * RING_SIZE, Long.BYTES);
    private final MemorySegment receiveRings = Arena.global().allocate((long) SOCKETS * RING_SIZE, Long.BYTES);
    private final ReceiveRegions.Region receiveRegion = new ReceiveRegions.Region(null, 0, null);
    private final AtomicInteger sids = new AtomicInteger();
    private final Attachment attachment;
    private final PlayedDriver driver;
    private final DriverEpoll epoll;

    private PlayedSockets() {
        try {
            SharedRegion libPage = page(LibPageDescriptor.length(REQUESTS, SOCKETS));
            SharedRegion driverPage = page(DriverPageDescriptor.length(SOCKETS));
            SharedRegion statusPage = page(StatusPageDescriptor.length());
            UnixSocket connection = UnixSocket.pair(UnixSocket.Type.SEQPACKET)[0];
            Link link = new Link(connection);
            ControlChannel control = new ControlChannel(connection, link);
            attachment = new Attachment(
                    link,
                    control,
                    new Pages(libPage, driverPage, statusPage, REQUESTS, SOCKETS),
                    1,
                    new PdOptions().spinMicros(0));
            driver = new PlayedDriver(libPage, driverPage, REQUESTS, SOCKETS);
            // Adds a waiter in advance, because no driver would answer a request for one.
            UnixSocket bell = UnixSocket.pair(UnixSocket.Type.SEQPACKET)[0];
            attachment.session().waiters().giveBack(new ThreadWaiter(control, 0, bell, EventFd.open()));
            epoll = DriverEpoll.open(attachment.session());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SharedRegion page(long length) throws IOException {
        SharedRegion page = SharedRegion.create("played-page", length, false);
        page.allocate(0, page.size());
        return page;
    }

    /** A connected socket and the driver's end of it. */
    static final class Connected {
        final SocketCore core;
        final DriverSocket socket;
        final PlayedEnd driver;

        /** Memory of the rings and of the socket's words, which stays mapped after the socket is closed. */
        final MemorySegment sendRing;

        final MemorySegment receiveRing;
        final MemorySegment words;

        private final PlayedDriver process;
        private final DriverEpoll epoll;

        private Connected(PlayedSockets played) {
            process = played.driver;
            epoll = played.epoll;
            takeRequests();
            int sid = played.sids.getAndIncrement() & SOCKETS - 1;
            long offset = (long) sid * RING_SIZE;
            sendRing = played.sendRings.asSlice(offset, RING_SIZE);
            receiveRing = played.receiveRings.asSlice(offset, RING_SIZE);
            Pages pages = played.attachment.session().pages();
            words = pages.lib.memory().asSlice(LibPageDescriptor.slot(REQUESTS, sid), LibPageDescriptor.SLOT_LENGTH);
            pages.clear(sid);
            driver = played.driver.open(sid, 1, RING_SIZE);
            core = new SocketCore(played.attachment.session(), sid, 1);
            core.sendRing(new RingBuffer(0, offset, RING_SIZE, sendRing));
            core.connected(new ReceiveRegions.Ring(receiveRing, played.receiveRegion), null, null);
            // The ring is not from the pool, so the pool must not get it back.
            core.sendRing(null);
            socket = new DriverSocket(core, played.attachment.socketControl(), 0);
        }

        /** Adds the socket to an epoll instance in which no thread waits, with doorbell number 0. */
        DriverEntry watch(int events) {
            DriverEntry entry = new DriverEntry(core, socket, epoll, 0, events, null);
            // An entry in a queue is not queued again; otherwise it would stay in the instance's queue for ever.
            new EntryQueue().add(entry);
            if (!core.epollEntries().add(entry)) {
                throw new IllegalStateException("the socket is watched already");
            }
            return entry;
        }

        /** Takes the requests of all sockets; returns whether there were any. */
        boolean takeRequests() {
            return process.takeRequests();
        }

        /** Takes and discards the driver's events for epoll instances. */
        void takeEvents() {
            core.session.events().drain();
        }
    }

    static Connected connect() {
        return new Connected(INSTANCE);
    }
}
