// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Receives streams on any number of connections, each with a thread of its own; ends with the last one. */
final class PairsServer implements Job.Server {
    private final Sockets sockets;
    private final ServerSocketChannel listener;
    private final int size;

    PairsServer(Sockets sockets, int size) throws IOException {
        this.sockets = sockets;
        this.listener = sockets.listen();
        this.size = size;
    }

    @Override
    public String address() throws IOException {
        return sockets.address(listener);
    }

    /** One thread accepts: thousands that wait for a connection each would take turns at it. */
    @Override
    public void run(Progress progress) throws Exception {
        List<SocketChannel> channels = new ArrayList<>();
        try (listener) {
            int count = PairsClient.count(listener);
            while (channels.size() < count) {
                SocketChannel channel = listener.accept();
                channels.add(channel);
                sockets.noDelay(channel);
            }
            Threads.run(count, index -> receive(channels.get(index), progress));
        } finally {
            for (SocketChannel channel : channels) {
                channel.close();
            }
        }
    }

    private void receive(SocketChannel channel, Progress progress) throws IOException {
        try (channel) {
            AtomicLong share = progress.share();
            ByteBuffer in = sockets.memory().allocate(Math.max(BlockingServer.MIN_READ, size));
            BlockingServer.receive(channel, in, progress, share::setOpaque);
        }
    }
}
