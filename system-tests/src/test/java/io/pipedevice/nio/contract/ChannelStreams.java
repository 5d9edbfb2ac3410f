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
    private static final int CHANNEL_FORMS = 4;
    private static final int ALL_FORMS = 6;

    @Override
    public int write(int form, byte[] bytes) throws IOException {
        return Forms.write(channel, form, bytes);
    }

    @Override
    public int read(int form, int length, int stream, long position) throws IOException {
        return Forms.read(channel, form, length, stream, position);
    }

    @Override
    public int forms(boolean all) {
        return all && channel.isBlocking() ? ALL_FORMS : CHANNEL_FORMS;
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
