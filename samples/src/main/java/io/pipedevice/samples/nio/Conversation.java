// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;

/** One connection of the {@link DigestServer}. Belongs to the server's thread. */
final class Conversation {
    private final SocketChannel channel;
    private final ByteBuffer buffer = DigestServer.newBuffer();
    private final CRC32C checksum = new CRC32C();
    private long count;
    private byte purpose;
    private boolean writing;
    private boolean ended;
    private boolean over;

    Conversation(SocketChannel channel) {
        this.channel = channel;
    }

    /** Does what is possible now; returns the interest to wait for. */
    int go() throws IOException {
        if (!writing) {
            writing = read();
        }
        if (writing) {
            channel.write(buffer);
            writing = buffer.hasRemaining();
            over = ended && !writing;
        }
        return writing ? SelectionKey.OP_WRITE : SelectionKey.OP_READ;
    }

    /** Reads once; returns whether to write next: there are data to send, or no more to receive. */
    private boolean read() throws IOException {
        buffer.clear();
        ended = channel.read(buffer) < 0;
        buffer.flip();
        if (purpose == 0 && buffer.hasRemaining()) {
            purpose = buffer.get();
        }
        if (purpose == DigestServer.ECHO) {
            return ended || buffer.hasRemaining();
        }
        if (purpose != 0 && purpose != DigestServer.DIGEST) {
            throw new IOException("a connection for an unknown purpose: " + purpose);
        }
        count += buffer.remaining();
        checksum.update(buffer);
        if (ended) {
            buffer.clear().putLong(count).putLong(checksum.getValue()).flip();
        }
        return ended;
    }

    boolean isOver() {
        return over;
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
