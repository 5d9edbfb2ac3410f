// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

/** The state of a connection by the rules of TCP, after the steps of a game until now. */
final class Line {
    /** Up to this number of bytes, the kernel has delivered everything to the other end when a call returns. */
    static final long EXACT = 30_000;

    final int number;
    final End client = new End();
    final End server = new End();

    /** Whether the client has connected, and no failure was reported to it. */
    boolean connected;

    boolean accepted;

    /** The client's port. */
    long port;

    Line(int number) {
        this.number = number;
    }

    End end(boolean ofClient) {
        return ofClient ? client : server;
    }

    /** Whether an end has a channel that the program has not closed. */
    boolean isOpen(boolean ofClient) {
        return connected && (ofClient || accepted) && !end(ofClient).closed;
    }

    /** Whether both ends were closed. */
    boolean isOver() {
        return connected && client.closed && server.closed;
    }

    /** Bytes that are under way to an end. */
    long toRead(boolean atClient) {
        return end(!atClient).sent - end(atClient).read;
    }

    /** Whether the number of bytes under way to an end is known, and all of them have arrived. */
    boolean isExact(boolean atClient) {
        return !end(!atClient).blurred && toRead(atClient) <= EXACT;
    }

    /** Whether a read returns at once. */
    boolean mayRead(boolean atClient) {
        End end = end(atClient);
        End other = end(!atClient);
        return end.inputShut || other.ended || other.closed || (!other.blurred && toRead(atClient) > 0);
    }

    /**
     * Whether a write of {@code bytes} bytes finds room, and does not race with an end that is under way behind many
     * bytes.
     */
    boolean mayWrite(boolean atClient, int bytes) {
        if ((end(!atClient).closed || end(!atClient).inputShut) && !isExact(atClient)) {
            return false;
        }
        return !end(atClient).blurred && toRead(!atClient) + bytes <= EXACT;
    }

    /**
     * Whether it is open if reads report a reset of the other end: a blocked write may have reported it already, and
     * more or fewer of the bytes that it has overtaken may arrive before it.
     */
    boolean mayMissReset(boolean atClient) {
        return end(!atClient).resets && (end(atClient).blurred || !isExact(atClient));
    }

    void shutInput(boolean atClient) {
        end(atClient).inputShut = true;
        mayReset(atClient);
    }

    void shutOutput(boolean atClient) {
        end(atClient).ended = true;
        mayReset(atClient);
    }

    /**
     * Once both directions are shut, the kernel answers bytes that had found no room with a reset, when the sender's
     * timer makes it try again, about a fifth of a second later. The reset overtakes an end that has not arrived by
     * then.
     */
    private void mayReset(boolean atClient) {
        End end = end(atClient);
        if (end.inputShut && end.ended && toRead(atClient) > EXACT && toRead(!atClient) > EXACT) {
            end.resets = true;
            end.blurred = true;
        }
    }

    /** One end. */
    static final class End {
        long sent;
        long read;
        boolean blocking = true;

        /** The interest set of its key; -1 if it has none. */
        int interest = -1;

        boolean inputShut;
        boolean ended;
        boolean closed;

        /** Its close resets the connection even if it has read everything. */
        boolean lingersNot;

        /** Its close was a reset, or it may reset the connection without one. */
        boolean resets;

        boolean wasRegistered;

        /** The number of bytes that it has sent is unknown. */
        boolean blurred;
    }
}
