// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executors;

/** Some threads that connect, and wait for the server to close. */
final class AcceptClient implements Client {
    private final int port;
    private final Workers workers;

    AcceptClient(int port, int threads) {
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
            try (SocketChannel channel = SocketChannel.open(Loopback.at(port))) {
                if (channel.read(one.clear()) >= 0) {
                    throw new IOException("a byte arrived that was not sent");
                }
            }
            connections++;
        } while (System.nanoTime() - end < 0);
        return connections;
    }

    @Override
    public void close() {
        workers.close();
    }
}
