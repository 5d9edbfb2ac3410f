// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Those of a channel, in the mode that it is in.
 *
 * @param channel the channel
 */
record ChannelStreams(SocketChannel channel) implements Streams {
    /** The first form of {@link Forms} that a channel in non-blocking mode does not permit. */
    private static final int CHANNEL_FORMS = 4;

    /** The forms of {@link Forms} that are used. */
    private static final int ALL_FORMS = 6;

    /** In {@link Streams}, the form that transfers files; the later ones are by one more than in {@link Forms}. */
    private static final int FILE = CHANNEL_FORMS;

    @Override
    public int write(int form, byte[] bytes) throws IOException {
        if (form == FILE) {
            int count = FileForms.send(channel, bytes.length, bytes);
            // The JDK's transfer does not wait in a virtual thread if the channel was read or written by one before.
            return count > 0 ? count : Forms.write(channel, 0, bytes);
        }
        return Forms.write(channel, shifted(form), bytes);
    }

    @Override
    public int read(int form, int length, int stream, long position) throws IOException {
        if (form == FILE) {
            int count = FileForms.receive(channel, length, length, stream, position);
            if (count > 0) {
                return count;
            }
            // A transfer does not tell the end of the stream from nothing.
            return Forms.read(channel, 0, length, stream, position);
        }
        return Forms.read(channel, shifted(form), length, stream, position);
    }

    private static int shifted(int form) {
        return form > FILE ? form - 1 : form;
    }

    @Override
    public int forms(boolean all) {
        return 1 + (all && channel.isBlocking() ? ALL_FORMS : CHANNEL_FORMS);
    }

    @Override
    public void awaitRoom() throws IOException {
        Readiness.awaitWritable(channel);
    }

    @Override
    public void awaitBytes() throws IOException {
        Readiness.awaitReadable(channel);
    }

    /** Writes a stream of a game in non-blocking mode until there is no more room. */
    Outcome fill(int stream, long position) throws IOException {
        boolean blocking = channel.isBlocking();
        channel.configureBlocking(false);
        ByteBuffer piece = ByteBuffer.allocate(64 << 10);
        int count = 0;
        int written;
        do {
            piece.clear()
                    .put(Content.bytes(stream, position + count, piece.capacity()))
                    .flip();
            written = channel.write(piece);
            count += written;
        } while (written > 0);
        channel.configureBlocking(blocking);
        return new Outcome("filled", count);
    }
}
