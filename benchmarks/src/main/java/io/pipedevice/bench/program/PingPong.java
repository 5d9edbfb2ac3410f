// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/**
 * Sends each message after the previous one is back, so that a late message is not missing from the measurements
 * (coordinated omission).
 */
final class PingPong implements Job {
    private final ByteChannel channel;
    private final Memory memory;
    private final int size;

    private PingPong(ByteChannel channel, Memory memory, int size) {
        this.channel = channel;
        this.memory = memory;
        this.size = size;
    }

    static <S extends Closeable, C extends ByteChannel> PingPong connect(
            BlockingSockets<S, C> sockets, String address, int size) throws IOException {
        C connection = sockets.connect(address);
        sockets.noDelay(connection);
        return new PingPong(connection, sockets.memory(), size);
    }

    @Override
    public void run(Progress progress) throws IOException {
        try (channel) {
            ByteBuffer message = memory.allocate(size);
            ByteBuffer content = new Pattern(size).next();
            message.put(content.duplicate());
            for (long round = 1; !progress.isStopping(); round++) {
                message.clear().putLong(0, round);
                long start = System.nanoTime();
                do {
                    channel.write(message);
                } while (message.hasRemaining());
                if (!read(channel, message.clear())) {
                    throw new IOException("the server ended the connection");
                }
                progress.latency(System.nanoTime() - start);
                if (message.getLong(0) != round) {
                    throw new IOException("round " + round + " came back as " + message.getLong(0));
                }
                if (progress.isChecking() && !isUnchanged(message, content)) {
                    throw new IOException("round " + round + " came back changed");
                }
                progress.count(round);
            }
        }
    }

    /** Whether a message has its content, but for the number at its beginning. */
    static boolean isUnchanged(ByteBuffer message, ByteBuffer content) {
        int rest = content.remaining() - Long.BYTES;
        return message.slice(Long.BYTES, rest).equals(content.slice(content.position() + Long.BYTES, rest));
    }

    /** Fills a buffer; false at the end of the stream. */
    static boolean read(ByteChannel channel, ByteBuffer message) throws IOException {
        do {
            if (channel.read(message) < 0) {
                return false;
            }
        } while (message.hasRemaining());
        return true;
    }
}
