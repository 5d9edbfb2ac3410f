// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Many connections, of which the next few have a message under way; blocking, so that the server alone selects. */
final class RotatingClient implements Client {
    private static final int UNDER_WAY = 8;

    private final List<SocketChannel> channels = new ArrayList<>();
    private final ByteBuffer message = ByteBuffer.allocateDirect(ChannelEcho.SIZE);
    private int next;

    /** Opens the connections, each of which carries a message, so that the server has accepted it. */
    RotatingClient(int port, int count) throws IOException {
        try {
            while (channels.size() < count) {
                SocketChannel channel = ChannelIo.connect(port);
                channels.add(channel);
                ChannelIo.write(channel, message.clear());
                ChannelIo.readAnswer(channel, message.clear());
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    @Override
    public long run(long nanos) throws IOException {
        long end = System.nanoTime() + nanos;
        long echoes = 0;
        do {
            for (int i = 0; i < UNDER_WAY; i++) {
                int at = (next + i) % channels.size();
                ChannelIo.write(channels.get(at), message.clear().putLong(0, at));
            }
            for (int i = 0; i < UNDER_WAY; i++) {
                int at = (next + i) % channels.size();
                ChannelIo.readAnswer(channels.get(at), message.clear());
                if (message.getLong(0) != at) {
                    throw new IOException("connection " + at + " received " + message.getLong(0));
                }
            }
            next = (next + UNDER_WAY) % channels.size();
            echoes += UNDER_WAY;
        } while (System.nanoTime() - end < 0);
        return echoes;
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }
}
