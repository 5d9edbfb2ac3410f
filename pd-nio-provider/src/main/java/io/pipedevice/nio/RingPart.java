// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEpollPart;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;

/** The rings of one attachment to a driver in a {@link WideWait}. Belongs to the waiting thread. */
final class RingPart implements AutoCloseable {
    /** Most sockets that one look reports; the others have the next turn. */
    private static final int MOST_EVENTS = 256;

    private final PdEpoll epoll;
    private final PdEpollPart part;
    private final PdEvents events = new PdEvents(MOST_EVENTS);
    private final int number;
    private int sockets;

    private RingPart(PdEpoll epoll, PdEpollPart part, int number) {
        this.epoll = epoll;
        this.part = part;
        this.number = number;
    }

    /**
     * Opens the part for the attachment of a socket.
     *
     * @param number by which its descriptors are known, see {@link #data}
     */
    static RingPart open(PdSocket first, Epoll set, int number) throws PdException {
        PdEpoll epoll = first.epoll();
        boolean done = false;
        try {
            RingPart part = new RingPart(epoll, epoll.join(set, data(number)), number);
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
        if (e.errno() == Errno.EMFILE || e.errno() == Errno.ENFILE || e.errno() == Errno.ENOMEM) {
            throw e;
        }
    }

    /** What the set reports with a part's first descriptor; above all descriptors of the kernel's. */
    private static long data(int number) {
        return (long) number << Integer.SIZE;
    }

    static int numberOf(long data) {
        return (int) (data >>> Integer.SIZE);
    }

    int number() {
        return number;
    }

    boolean serves(PdSocket socket) {
        return epoll.serves(socket);
    }

    void add(PdSocket socket, int interest, Object attachment) throws PdException {
        epoll.add(socket, interest, attachment);
        sockets++;
    }

    /** Changes what a socket is watched for. */
    void modify(PdSocket socket, int interest) {
        epoll.modify(socket, interest);
    }

    /** Takes a socket out that may be closed, and so have left by itself. */
    void remove(PdSocket socket) {
        epoll.discard(socket);
        sockets--;
    }

    /** Whether nothing can come from here any more. */
    boolean isOver() {
        return !epoll.isOpen() || (sockets == 0 && part.isDriverGone());
    }

    int look(WideWait.Sink sink) {
        return report(part.look(events), sink);
    }

    private int report(int count, WideWait.Sink sink) {
        for (int i = 0; i < count; i++) {
            sink.ring(events.attachment(i), events.events(i));
        }
        return count;
    }

    /** Whether the waiting thread may sleep; what was found instead is reported. */
    boolean beforeSleep(WideWait.Sink sink) {
        boolean maySleep = part.beforeSleep(events);
        report(events.count(), sink);
        return maySleep;
    }

    PdEpollPart part() {
        return part;
    }

    @Override
    public void close() {
        part.close();
        epoll.close();
    }
}
