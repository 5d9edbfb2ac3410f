// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.function.LongConsumer;

/** The server of one blocking client. */
final class BlockingServer<S extends Closeable, C extends ByteChannel> implements Job.Server {
    /** The shortest read of a stream. */
    static final int MIN_READ = 64 << 10;

    private final BlockingSockets<S, C> sockets;
    private final S listener;
    private final Kind kind;
    private final int size;

    BlockingServer(BlockingSockets<S, C> sockets, Kind kind, int size) throws IOException {
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
            try (C channel = sockets.accept(listener)) {
                if (kind != Kind.GATHERED_STREAM) {
                    sockets.noDelay(channel);
                }
                if (kind == Kind.PING_PONG || kind == Kind.VIRTUAL_PING_PONG) {
                    echo(channel, progress);
                } else {
                    receive(channel, progress);
                }
            }
        }
    }

    private void receive(C channel, Progress progress) throws IOException {
        // A buffered stream is read by messages.
        int length = kind == Kind.BUFFERED_STREAM ? size : Math.max(MIN_READ, size);
        receive(channel, sockets.memory().allocate(length), progress, progress::count);
    }

    /** Receives a stream to its end, in pieces of a buffer; {@code count} gets the number of bytes so far. */
    static void receive(ByteChannel channel, ByteBuffer in, Progress progress, LongConsumer count) throws IOException {
        Pattern pattern = new Pattern(in.capacity());
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

    private void echo(C channel, Progress progress) throws IOException {
        ByteBuffer message = sockets.memory().allocate(size);
        for (long rounds = 1; PingPong.read(channel, message.clear()); rounds++) {
            message.flip();
            do {
                channel.write(message);
            } while (message.hasRemaining());
            progress.count(rounds);
        }
    }
}
