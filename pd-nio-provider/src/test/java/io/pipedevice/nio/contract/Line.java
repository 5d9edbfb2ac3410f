// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

/** What the rules of TCP make of a connection, as far as the plan of a game has come. */
final class Line {
    /** Up to here the kernel has taken everything to the other end when a call returns. */
    static final long EXACT = 30_000;

    final int number;
    final End client = new End();
    final End server = new End();

    /** Whether the client has connected, and has not been told that it failed. */
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

    /** Whether it is known how much is under way to an end, and all that has arrived. */
    boolean isExact(boolean atClient) {
        return !end(!atClient).blurred && toRead(atClient) <= EXACT;
    }

    /** Whether a read has something to tell. */
    boolean mayRead(boolean atClient) {
        End end = end(atClient);
        End other = end(!atClient);
        return end.inputShut || other.ended || other.closed || (!other.blurred && toRead(atClient) > 0);
    }

    /** Whether a write of so many bytes finds room, and does not answer an end that is under way behind much else. */
    boolean mayWrite(boolean atClient, int bytes) {
        if ((end(!atClient).closed || end(!atClient).inputShut) && !isExact(atClient)) {
            return false;
        }
        return !end(atClient).blurred && toRead(!atClient) + bytes <= EXACT;
    }

    /**
     * Whether a reset of the other end may be told by reads or not: a write that was blocked may have been told already, and
     * before it may come more or less of what it has overtaken.
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
     * Once both directions are shut, the kernel answers what had found no room with a reset: when the other kernel's timer has
     * it try again, which is a fifth of a second later or so. An end that has not arrived by then is overtaken.
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

        /** What it is registered for; -1 if it is not. */
        int interest = -1;

        boolean inputShut;
        boolean ended;
        boolean closed;

        /** Its close resets whatever it has read. */
        boolean lingersNot;

        /** Its close was a reset, or it may reset the connection without one. */
        boolean resets;

        boolean wasRegistered;

        /** It is not known how much it has sent. */
        boolean blurred;
    }
}
