// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Sends streams on several connections, each with a thread of its own. */
final class PairsClient implements Job {
    private final List<StreamSender> senders = new ArrayList<>();

    /**
     * Connects.
     *
     * @param busy the number of connections of all clients, which a connection before the others tells the server; 0 if
     *     another client has told it
     */
    PairsClient(Sockets sockets, String address, int size, int connections, int busy) throws IOException {
        if (busy > 0) {
            try (SocketChannel first = sockets.connect(address)) {
                first.write(ByteBuffer.allocateDirect(Integer.BYTES).putInt(0, busy));
            }
        }
        for (int i = 0; i < connections; i++) {
            SocketChannel channel = sockets.connect(address);
            sockets.noDelay(channel);
            senders.add(new StreamSender(channel, sockets.memory(), size, Pace.of(Kind.PAIRS)));
        }
    }

    /** Accepts the first connection. */
    static int count(ServerSocketChannel listener) throws IOException {
        ByteBuffer count = ByteBuffer.allocateDirect(Integer.BYTES);
        try (SocketChannel first = listener.accept()) {
            if (!PingPong.read(first, count)) {
                throw new IOException("the client ended before it told the number of its connections");
            }
        }
        return count.getInt(0);
    }

    @Override
    public void run(Progress progress) throws Exception {
        // The traffic of the first threads would delay the start of the others.
        CountDownLatch started = new CountDownLatch(senders.size());
        Threads.run(senders.size(), index -> {
            started.countDown();
            started.await();
            progress.share().setOpaque(senders.get(index).send(progress));
        });
    }
}
