// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Many writes or reads on end, in the mode that the channel is in. */
final class Transfer {
    private static final int CHANNEL_FORMS = 4;
    /** The number of forms, without the form that reads a single byte. */
    private static final int ALL_FORMS = 6;

    private static final int LARGEST_PIECE = 20_000;

    private final SocketChannel channel;
    private final Act act;
    private final int stream;

    Transfer(SocketChannel channel, Act act, int stream) {
        this.channel = channel;
        this.act = act;
        this.stream = stream;
    }

    /** Writes the bytes of the act. */
    Outcome write() {
        int count = 0;
        try {
            while (count < act.size()) {
                int length = Math.min(act.size() - count, piece(count));
                int written = Forms.write(channel, form(), Content.bytes(stream, act.position() + count, length));
                count += written;
                if (written == 0) {
                    Readiness.awaitWritable(channel);
                }
            }
            return new Outcome("all written", count);
        } catch (IOException e) {
            return Outcome.of(e, count);
        }
    }

    /** Writes in non-blocking mode until there is no more room. */
    Outcome fill() throws IOException {
        boolean blocking = channel.isBlocking();
        channel.configureBlocking(false);
        ByteBuffer piece = ByteBuffer.allocate(64 << 10);
        int count = 0;
        int written;
        do {
            piece.clear()
                    .put(Content.bytes(stream, act.position() + count, piece.capacity()))
                    .flip();
            written = channel.write(piece);
            count += written;
        } while (written > 0);
        channel.configureBlocking(blocking);
        return new Outcome("filled", count);
    }

    /** Reads {@code most} bytes, or until the stream ends. */
    Outcome read(int most) {
        int count = 0;
        try {
            while (count < most) {
                int read = Forms.read(
                        channel, form(), Math.min(most - count, piece(count)), stream, act.position() + count);
                if (read < 0) {
                    return new Outcome("then the end", count);
                }
                if (read == 0) {
                    Readiness.awaitReadable(channel);
                }
                count += read;
            }
            return new Outcome("all read", count);
        } catch (IOException e) {
            return Outcome.of(e, count);
        }
    }

    /** The size of the next piece, larger when there are many bytes. */
    private int piece(int count) {
        return 1 + act.form() % LARGEST_PIECE + (count >> 5);
    }

    private int form() {
        int forms = channel.isBlocking() && act.form() % 2 == 0 ? ALL_FORMS : CHANNEL_FORMS;
        return act.form() / 2 % forms;
    }
}
