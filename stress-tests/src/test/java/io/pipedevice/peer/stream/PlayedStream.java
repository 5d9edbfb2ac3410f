// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** A stream whose writer continues in a larger ring when its base ring is full, and whose reader checks each byte. */
final class PlayedStream {
    /** Fills the base ring. */
    static final int BASE = LinkMemoryDescriptor.BASE_RING_LENGTH;

    final PlayedPeers.Connected connection;

    private final ByteBuffer source;
    private final ByteBuffer read;

    PlayedStream(byte[] content) {
        this(PlayedPeers.connectGrowing(2 * BASE), content);
    }

    PlayedStream(PlayedPeers.Connected connection, byte[] content) {
        this.connection = connection;
        source = ByteBuffer.wrap(content);
        read = ByteBuffer.allocate(content.length + 1);
    }

    /** The content for all streams of a test; no byte of it is 0. */
    static byte[] content(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (((i * 31) >> 3) | 1);
        }
        return bytes;
    }

    /** Writes the next bytes at the peer. There is room for them. */
    void write(int length) {
        try {
            source.limit(source.position() + length);
            if (connection.peer.write(source) != length) {
                throw new AssertionError("there is room");
            }
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the next bytes at the peer without waiting. There is room for them in a wide ring. */
    void writeAtOnce(int length) {
        try {
            source.limit(source.position() + length);
            int written = connection.peer.write(source);
            while (source.hasRemaining() && connection.peer.makesRoom()) {
                written += connection.peer.write(source);
            }
            if (written != length) {
                throw new AssertionError("there is room");
            }
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the next bytes at the peer, in a larger ring if there is no room for them. */
    void writeOn(int length) {
        try {
            source.limit(source.position() + length);
            while (source.hasRemaining()) {
                if (connection.peer.write(source) == 0) {
                    connection.peer.awaitWritable(1);
                }
            }
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The number of bytes that can be read. */
    int available() {
        try {
            return connection.waiting.available();
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads available bytes, until it has read {@code length} bytes in total. */
    void readTo(int length) {
        read.limit(length);
        readOn();
        read.limit(read.capacity());
    }

    /** Reads the available bytes. */
    void readOn() {
        try {
            while (read.hasRemaining() && connection.waiting.read(read) > 0) {
                Thread.onSpinWait();
            }
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether each byte was read once and in order. Called after everything was written. */
    boolean isWhole() {
        readOn();
        return read.flip().equals(source.flip());
    }
}
