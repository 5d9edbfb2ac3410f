// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.concurrent.atomic.AtomicLong;

/** The server for connections of one byte each way, with as many threads as its client has. */
final class ConnectServer<S extends Closeable, C extends ByteChannel> implements Job.Server {
    private final BlockingSockets<S, C> sockets;
    private final S listener;
    private final int threads;

    ConnectServer(BlockingSockets<S, C> sockets, int threads) throws IOException {
        this.sockets = sockets;
        this.listener = sockets.listen();
        this.threads = threads;
    }

    @Override
    public String address() throws IOException {
        return sockets.address(listener);
    }

    @Override
    public void run(Progress progress) throws Exception {
        try (listener) {
            Threads.run(threads, index -> serve(progress.share()));
        }
    }

    /** Serves until the last connection of one of the client's threads. */
    private void serve(AtomicLong count) throws IOException {
        ByteBuffer one = sockets.memory().allocate(1);
        boolean more = true;
        for (long connections = 1; more; connections++) {
            try (C channel = sockets.accept(listener)) {
                sockets.noDelay(channel);
                if (!PingPong.read(channel, one.clear())) {
                    throw new IOException("a connection ended before its byte arrived");
                }
                more = one.get(0) != ConnectClient.LAST;
                channel.write(one.flip());
                if (PingPong.read(channel, one.clear())) {
                    throw new IOException("received a byte that was not sent");
                }
            }
            count.setOpaque(connections);
        }
    }
}
