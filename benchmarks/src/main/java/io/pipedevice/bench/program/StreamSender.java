// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/** Writes one message per call, at a pace. */
final class StreamSender implements Job {
    private final ByteChannel channel;
    private final Memory memory;
    private final int size;
    private final Pace pace;

    StreamSender(ByteChannel channel, Memory memory, int size, Pace pace) {
        this.channel = channel;
        this.memory = memory;
        this.size = size;
        this.pace = pace;
    }

    /** Connects. The kernel gathers small messages of {@link Kind#GATHERED_STREAM} alone. */
    static <S extends Closeable, C extends ByteChannel> StreamSender connect(
            BlockingSockets<S, C> sockets, String address, int size, Kind kind) throws IOException {
        C connection = sockets.connect(address);
        if (kind != Kind.GATHERED_STREAM) {
            sockets.noDelay(connection);
        }
        return new StreamSender(connection, sockets.memory(), size, Pace.of(kind));
    }

    @Override
    public void run(Progress progress) throws IOException {
        progress.count(send(progress));
    }

    /** Sends until the stop command, and returns the number of bytes. */
    long send(Progress progress) throws IOException {
        try (channel) {
            Pattern pattern = new Pattern(size, memory);
            while (!progress.isStopping()) {
                if (!pace.isDue(pattern.done())) {
                    pace.sleep();
                    continue;
                }
                ByteBuffer message = pattern.next();
                do {
                    channel.write(message);
                } while (message.hasRemaining());
            }
            return pattern.done();
        }
    }
}
