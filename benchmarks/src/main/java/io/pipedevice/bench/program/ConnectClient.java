// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.concurrent.atomic.AtomicLong;

/** Connects, sends a byte, receives it, and closes; in each thread one connection after the other. */
final class ConnectClient<C extends ByteChannel> implements Job {
    /** The byte of a thread's last connection. */
    static final byte LAST = 1;

    private final BlockingSockets<?, C> sockets;
    private final String address;
    private final int threads;

    ConnectClient(BlockingSockets<?, C> sockets, String address, int threads) {
        this.sockets = sockets;
        this.address = address;
        this.threads = threads;
    }

    @Override
    public void run(Progress progress) throws Exception {
        Threads.run(threads, index -> connect(progress, progress.share()));
    }

    private void connect(Progress progress, AtomicLong count) throws IOException {
        ByteBuffer one = sockets.memory().allocate(1);
        boolean last = false;
        for (long connections = 1; !last; connections++) {
            last = progress.isStopping();
            one.put(0, last ? LAST : 0);
            long start = System.nanoTime();
            long connected;
            try (C channel = sockets.connect(address)) {
                connected = System.nanoTime();
                sockets.noDelay(channel);
                channel.write(one.clear());
                if (!PingPong.read(channel, one.clear())) {
                    throw new IOException("the server ended the connection");
                }
            }
            long end = System.nanoTime();
            synchronized (this) {
                progress.connectLatency(connected - start);
                progress.latency(end - start);
            }
            count.setOpaque(connections);
        }
    }
}
