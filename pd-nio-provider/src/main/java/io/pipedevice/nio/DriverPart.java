// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEpollPart;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;
import java.util.function.BooleanSupplier;

/** The rings of one attachment to a driver in a {@link WideWait}. Belongs to the waiting thread. */
final class DriverPart implements RingPart {
    private final PdEpoll epoll;
    private final PdEpollPart part;
    private final PdEvents events = new PdEvents(MOST_EVENTS);
    private final int number;
    private int sockets;

    private DriverPart(PdEpoll epoll, PdEpollPart part, int number) {
        this.epoll = epoll;
        this.part = part;
        this.number = number;
    }

    /**
     * Opens the part for the attachment of a socket.
     *
     * @param number by which its descriptors are known, see {@link #data}
     */
    static DriverPart open(PdSocket first, Epoll set, int number) throws PdException {
        PdEpoll epoll = first.epoll();
        boolean done = false;
        try {
            DriverPart part = new DriverPart(epoll, epoll.join(set, RingPart.data(number)), number);
            done = true;
            return part;
        } finally {
            if (!done) {
                epoll.close();
            }
        }
    }

    /** Throws it on unless a socket could not be watched because its driver is gone, which its channel will find out. */
    static void requireDriverGone(PdException e) throws PdException {
        if (Errno.isExhausted(e.errno())) {
            throw e;
        }
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public boolean serves(PdSource source) {
        return source instanceof PdSocket socket && epoll.serves(socket);
    }

    @Override
    public void add(PdSource source, int interest, Object attachment) throws PdException {
        epoll.add((PdSocket) source, interest, attachment);
        sockets++;
    }

    @Override
    public void modify(PdSource source, int interest) {
        epoll.modify((PdSocket) source, interest);
    }

    @Override
    public void remove(PdSource source) {
        epoll.discard((PdSocket) source);
        sockets--;
    }

    @Override
    public boolean isOver() {
        return !epoll.isOpen() || (sockets == 0 && part.isDriverGone());
    }

    @Override
    public int look(WideWait.Sink sink) {
        return report(part.look(events), sink);
    }

    private int report(int count, WideWait.Sink sink) {
        for (int i = 0; i < count; i++) {
            sink.ring(events.attachment(i), events.events(i));
        }
        return count;
    }

    @Override
    public boolean beforeSleep(WideWait.Sink sink) {
        boolean maySleep = part.beforeSleep(events);
        report(events.count(), sink);
        return maySleep;
    }

    @Override
    public boolean hasQuiet() {
        return sockets > 0;
    }

    @Override
    public boolean hasNews() {
        return part.hasNews();
    }

    @Override
    public boolean wasActive() {
        return part.wasActive();
    }

    @Override
    public boolean spin(BooleanSupplier orElse) {
        return part.spin(orElse);
    }

    @Override
    public void afterSleep() {
        part.afterSleep();
    }

    @Override
    public void happened(int descriptor) {
        part.happened(descriptor);
    }

    @Override
    public void close() {
        part.close();
        epoll.close();
    }
}
