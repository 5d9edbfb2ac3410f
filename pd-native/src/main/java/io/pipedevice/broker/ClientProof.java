// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UrgentByte;
import io.pipedevice.peer.link.Announcement;
import io.pipedevice.peer.link.PeerLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.stream.PeerSocket;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * How the client of an announced connection and its server show each other that they have its two ends: each sends a
 * byte of urgent data, the server first. Then the client posts the connection by rings, which this holds until it is
 * taken or given up. Guarded by the monitor of the introduction.
 */
final class ClientProof {
    /** A server that asks sends its byte at once, if it runs. */
    private static final long SHOW_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** A server that has taken back what it has asked decides within some microseconds. */
    private static final long LAST_ANSWER_NS = TimeUnit.SECONDS.toNanos(2);

    /** What is known of a server that asks for a byte. */
    enum Server {
        /** Its byte has not come, and may still come. */
        SILENT,
        /** It has the other end. */
        RIGHT,
        /** It has another connection, from the same port. */
        OTHER
    }

    private final PeerLink link;
    private final Announcement announced;

    /** When the server was seen to ask for the byte; 0 before that. */
    private long challengedNs;

    /** The byte that the server has sent on the connection. */
    private int received = UrgentByte.NONE;

    /** The connection by rings, once it is posted. */
    private PeerSocket rings;

    private long postedNs;

    ClientProof(PeerLink link, Announcement announced) {
        this.link = link;
        this.announced = announced;
    }

    /**
     * Whether the server, which asks for a byte, has the other end.
     *
     * @param socket of the kernel's connection
     */
    Server check(Fd socket) {
        int shown = link.shown(announced);
        if (challengedNs == 0) {
            challengedNs = System.nanoTime() | 1;
        }
        if (received == UrgentByte.NONE) {
            received = receive(socket);
        }
        if (received != UrgentByte.NONE && received == shown) {
            return Server.RIGHT;
        }
        boolean isOther = received != UrgentByte.NONE || System.nanoTime() - challengedNs > SHOW_NS;
        return isOther ? Server.OTHER : Server.SILENT;
    }

    private static int receive(Fd socket) {
        try {
            return UrgentByte.receive(socket);
        } catch (LinuxException e) {
            return UrgentByte.NONE;
        }
    }

    /**
     * Shows the server that this process has the other end of its connection, and posts the connection.
     *
     * @param socket of the kernel's connection
     * @param value that the server asks for
     * @throws LinuxException if the byte cannot be sent; the connection remains announced
     * @throws PeerRefusal if the connection has to be left to the kernel
     */
    void post(Fd socket, int value, InetSocketAddress from, InetSocketAddress to) throws LinuxException, PeerRefusal {
        UrgentByte.send(socket, value);
        rings = link.connect(announced, from, to);
        postedNs = System.nanoTime();
    }

    /** Whether this holds the connection that was posted. */
    boolean isHeld() {
        return rings != null;
    }

    /** Whether a server that has taken back what it has asked is late with its decision about the posted connection. */
    boolean isAnswerLate() {
        return System.nanoTime() - postedNs > LAST_ANSWER_NS;
    }

    /** Returns the posted connection, for the caller to close; null if there is none, or it was taken or given up. */
    PeerSocket take() {
        PeerSocket taken = rings;
        rings = null;
        return taken;
    }

    /** Resets the posted connection, if there is one. */
    void abort() {
        PeerSocket unused = take();
        if (unused != null) {
            unused.abort();
        }
    }
}
