// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Connects, sends a byte, receives it, and closes; one connection after the other. */
final class ConnectClient implements Job {
    /** The byte of the last connection. */
    static final byte LAST = 1;

    private final Sockets sockets;
    private final String address;

    ConnectClient(Sockets sockets, String address) {
        this.sockets = sockets;
        this.address = address;
    }

    @Override
    public void run(Progress progress) throws IOException {
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        boolean last = false;
        for (long connections = 1; !last; connections++) {
            last = progress.isStopping();
            one.put(0, last ? LAST : 0);
            long start = System.nanoTime();
            try (SocketChannel channel = sockets.connect(address)) {
                sockets.noDelay(channel);
                channel.write(one.clear());
                if (!PingPong.read(channel, one.clear())) {
                    throw new IOException("the server ended the connection");
                }
            }
            progress.latency(System.nanoTime() - start);
            progress.count(connections);
        }
    }
}
