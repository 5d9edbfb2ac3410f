// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.LongConsumer;

/** The server of one blocking client. */
final class BlockingServer implements Job.Server {
    private static final int MIN_READ = 64 << 10;

    private final Sockets sockets;
    private final ServerSocketChannel listener;
    private final Kind kind;
    private final int size;

    BlockingServer(Sockets sockets, Kind kind, int size) throws IOException {
        this.sockets = sockets;
        this.listener = sockets.listen();
        this.kind = kind;
        this.size = size;
    }

    @Override
    public String address() throws IOException {
        return sockets.address(listener);
    }

    @Override
    public void run(Progress progress) throws IOException {
        try (listener) {
            try (SocketChannel channel = listener.accept()) {
                if (kind != Kind.GATHERED_STREAM) {
                    sockets.noDelay(channel);
                }
                if (kind == Kind.PING_PONG) {
                    echo(channel, progress);
                } else {
                    receive(channel, progress);
                }
            }
        }
    }

    private void receive(SocketChannel channel, Progress progress) throws IOException {
        receive(channel, size, progress, progress::count);
    }

    /** Receives a stream to its end; {@code count} gets the number of bytes so far. */
    static void receive(SocketChannel channel, int size, Progress progress, LongConsumer count) throws IOException {
        int length = Math.max(MIN_READ, size);
        Pattern pattern = new Pattern(length);
        ByteBuffer in = ByteBuffer.allocateDirect(length);
        while (channel.read(in.clear()) >= 0) {
            in.flip();
            int piece = in.remaining();
            if (progress.isChecking()) {
                pattern.checkAll(in);
            } else if (piece >= Long.BYTES) {
                pattern.checkWord(in.getLong(0));
            }
            pattern.advance(piece);
            count.accept(pattern.done());
        }
    }

    private void echo(SocketChannel channel, Progress progress) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(size);
        for (long rounds = 1; PingPong.read(channel, message.clear()); rounds++) {
            message.flip();
            do {
                channel.write(message);
            } while (message.hasRemaining());
            progress.count(rounds);
        }
    }
}
