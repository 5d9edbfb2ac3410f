// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Epoll;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.wait.PeerEpoll;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * One thread of a program with connections to or from a hostile peer: it reads, writes, waits for one connection or for
 * all of them, and closes. Used by one thread.
 */
final class BesiegedProgram {
    private static final int MOST_OPEN = 8;
    private static final int PIECE = 3000;

    /** A wait that is not quiet after this number of rounds is a busy loop. */
    private static final int MOST_IN_VAIN = 20_000;

    private static final long QUIET_MS = 100;
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(QUIET_MS);
    private static final long SHORT_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private final Random random;
    private final Source source;
    private final List<PeerSocket> open = new ArrayList<>();
    private final Epoll set = Epoll.open();
    private final Epoll.Events found = new Epoll.Events(4);
    private final PdEvents events = new PdEvents(MOST_OPEN);
    private final PeerEpoll epoll = new PeerEpoll();
    private final ByteBuffer bytes = ByteBuffer.allocate(PIECE);

    /** The number of sockets so far, and of those that failed. */
    int sockets;

    int failures;

    /** Connects or accepts sockets. */
    interface Source {
        /** The next socket; null if there is none now. */
        PeerSocket next() throws IOException;
    }

    BesiegedProgram(Source source, long seed) throws IOException {
        this.source = source;
        this.random = new Random(seed);
        epoll.join(set, 0);
    }

    /** Plays one turn. */
    void step() throws IOException {
        if (open.size() < MOST_OPEN) {
            PeerSocket socket = source.next();
            if (socket != null) {
                sockets++;
                open.add(socket);
                epoll.add(socket, PdEpoll.IN | (random.nextBoolean() ? PdEpoll.OUT : 0), socket);
            }
        }
        select(random.nextInt(2));
        if (!open.isEmpty()) {
            use(open.get(random.nextInt(open.size())));
        }
    }

    /** Looks and waits as a selector does. Returns the number of ready sockets. */
    private int select(long millis) throws IOException {
        if (epoll.look(events) == 0) {
            sleep(millis);
        }
        for (int i = 0; i < events.count(); i++) {
            PeerSocket ready = (PeerSocket) events.attachment(i);
            if (open.contains(ready) && (events.events(i) & PdEpoll.IN) != 0) {
                read(ready);
            }
        }
        return events.count();
    }

    private void sleep(long millis) throws IOException {
        boolean maySleep = epoll.beforeSleep(events);
        try {
            if (maySleep && set.await(found, millis) > 0) {
                epoll.happened(0);
            }
        } finally {
            epoll.afterSleep();
        }
    }

    private void use(PeerSocket socket) throws IOException {
        switch (random.nextInt(8)) {
            case 0 -> close(socket);
            case 1 -> call(socket, () -> socket.awaitReadable(SHORT_NS));
            case 2 -> call(socket, () -> socket.awaitWritable(SHORT_NS));
            case 3 -> call(socket, socket::available);
            case 4 -> call(socket, socket::shutdownOutput);
            case 5 -> read(socket);
            default -> write(socket);
        }
    }

    private interface Call {
        void run() throws PdException;
    }

    private void call(PeerSocket socket, Call call) {
        try {
            call.run();
        } catch (PdException e) {
            failures++;
            close(socket);
        }
    }

    /** Whether the read found something: bytes, the end, or a failure. */
    private boolean read(PeerSocket socket) {
        try {
            int length = socket.read(bytes.clear());
            if (length == PdSocket.END_OF_STREAM) {
                close(socket);
            }
            return length != 0;
        } catch (PdException e) {
            failures++;
            close(socket);
            return true;
        }
    }

    private void write(PeerSocket socket) {
        call(socket, () -> socket.write(bytes.clear()));
    }

    private void close(PeerSocket socket) {
        if (open.remove(socket)) {
            socket.close();
        }
    }

    /**
     * Asserts that the wait becomes quiet after the peer has stopped writing: a socket is reported only if there is
     * something to read.
     */
    void assertQuiet() throws IOException {
        for (PeerSocket socket : open) {
            epoll.modify(socket, PdEpoll.IN);
        }
        long quietSince = System.nanoTime();
        int rounds = 0;
        while (System.nanoTime() - quietSince < QUIET_NS) {
            if (select(QUIET_MS) > 0) {
                quietSince = System.nanoTime();
            }
            if (++rounds > MOST_IN_VAIN) {
                throw new AssertionError("a busy loop, or endless wake-ups without readiness: " + open);
            }
        }
    }

    void close() {
        while (!open.isEmpty()) {
            close(open.getLast());
        }
        epoll.close();
        set.close();
    }
}
