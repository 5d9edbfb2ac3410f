// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executors;

/** Some threads that connect, exchange a byte, and close. */
final class ConnectClient implements Client {
    private final int port;
    private final Workers workers;

    ConnectClient(int port, int threads) {
        this.port = port;
        this.workers = new Workers(threads, Executors.defaultThreadFactory());
    }

    @Override
    public long run(long nanos) throws Exception {
        return workers.run(nanos, (index, end) -> connections(end));
    }

    private long connections(long end) throws IOException {
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        long connections = 0;
        do {
            connected(port, one).close();
            connections++;
        } while (System.nanoTime() - end < 0);
        return connections;
    }

    /** A connection on which a byte went each way. */
    static SocketChannel connected(int port, ByteBuffer one) throws IOException {
        SocketChannel channel = ChannelIo.connect(port);
        try {
            ChannelIo.write(channel, one.clear());
            ChannelIo.readAnswer(channel, one.clear());
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public void close() {
        workers.close();
    }
}
