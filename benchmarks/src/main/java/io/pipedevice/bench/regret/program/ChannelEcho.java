// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Round trips of a message by blocking channels: the server's side, and as an object the client's. */
final class ChannelEcho implements Client {
    static final int SIZE = 64;

    private final SocketChannel channel;
    private final ByteBuffer message;
    private long round;

    ChannelEcho(int port, ByteBuffer message) throws IOException {
        this.channel = ChannelIo.connect(port);
        this.message = message;
    }

    static void serve(SocketChannel channel, ByteBuffer message) throws IOException {
        while (ChannelIo.read(channel, message.clear())) {
            ChannelIo.write(channel, message.flip());
        }
    }

    @Override
    public long run(long nanos) throws IOException {
        long end = System.nanoTime() + nanos;
        long trips = 0;
        do {
            ChannelIo.write(channel, message.clear().putLong(0, ++round));
            ChannelIo.readAnswer(channel, message.clear());
            if (message.getLong(0) != round) {
                throw new IOException("round " + round + " came back as " + message.getLong(0));
            }
            trips++;
        } while (System.nanoTime() - end < 0);
        return trips;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
