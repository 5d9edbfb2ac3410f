// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import java.io.IOException;

/** A process's side of one transport. Used by one thread at a time. */
interface Peer extends AutoCloseable {
    /**
     * Listens on a free port, instead of the previous one.
     *
     * @param size of the messages, in bytes
     * @param ring size of PipeDevice's rings, in bytes; the kernel chooses and tunes the size of TCP's buffers
     * @param backlog most clients that wait to be accepted
     * @return the port
     */
    int listen(int size, int ring, int backlog) throws IOException;

    /** Waits for a client. One thread at a time, but not always the same. */
    Connection accept() throws IOException;

    /** Connects to a port of this host; the sizes are as for {@link #listen}. */
    Connection connect(int port, int size, int ring) throws IOException;

    @Override
    void close() throws IOException;

    /** One end of a connection, with blocking calls as in a user's program. Used by one thread at a time. */
    interface Connection extends AutoCloseable {
        /** Sends one message. Writes its payload first, unless the payload is null. */
        void send(Payload payload) throws IOException;

        /**
         * Receives the available data, and reads them unless the payload is null.
         *
         * @return in bytes, -1 at the end of the stream
         */
        int receive(Payload payload) throws IOException;

        /** Receives one message and discards it; false at the end of the stream. */
        boolean receiveMessage() throws IOException;

        /** Receives one message and sends its copy back; false at the end of the stream. */
        boolean echo() throws IOException;

        /** Closes the connection. The peer receives the data that were sent, and then the end of the stream. */
        @Override
        void close() throws IOException;
    }
}
