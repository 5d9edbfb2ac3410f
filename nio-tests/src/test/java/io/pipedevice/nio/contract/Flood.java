// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Writes to a connection whose other end does not read, until there is no more room. */
final class Flood {
    static final int MORE_THAN_A_CONNECTION_TAKES = 64 << 20;
    private static final int CHUNK = 100_000;

    private final SocketChannel channel;
    /** Written by one thread at a time, and read when that thread has ended. */
    private int written;

    Flood(SocketChannel channel) {
        this.channel = channel;
    }

    /** Writes to a channel in non-blocking mode until it takes nothing. */
    static void fill(SocketChannel channel, ByteBuffer out) throws IOException {
        int n = 1;
        while (n > 0) {
            assertTrue(out.hasRemaining(), "there is a bound to what a connection takes");
            int before = out.position();
            // The JDK copies all of a heap buffer even if it writes only a part of it.
            n = channel.write(out.limit(Math.min(out.capacity(), before + CHUNK)));
            assertEquals(before + n, out.position());
            out.limit(out.capacity());
        }
    }

    /**
     * Writes in blocking mode for ever, in the end byte by byte: a kernel that finds room for one more byte now and
     * then must not end the test, nor leave a call that has written a part.
     */
    Integer writeForEver() throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        while (true) {
            written += channel.write(one.clear());
        }
    }

    /** Fills the connection, which saves most of the single bytes, and leaves it in blocking mode. */
    Flood fill() throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(MORE_THAN_A_CONNECTION_TAKES);
        channel.configureBlocking(false);
        fill(channel, zeros);
        channel.configureBlocking(true);
        written += zeros.position();
        return this;
    }

    /** The peer reads all bytes that were written, perhaps one more of the call that was cut off, and then the end. */
    void expectAllAt(SocketChannel peer) throws IOException {
        int received = Bytes.receiveAll(peer).length;
        assertTrue(
                received == written || received == written + 1, () -> written + " written, " + received + " received");
    }
}
