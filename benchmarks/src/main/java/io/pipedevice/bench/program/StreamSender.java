// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Writes one message per call, from a direct buffer, at a pace. */
final class StreamSender implements Job {
    private final SocketChannel channel;
    private final int size;
    private final Pace pace;

    StreamSender(SocketChannel channel, int size, Pace pace) {
        this.channel = channel;
        this.size = size;
        this.pace = pace;
    }

    @Override
    public void run(Progress progress) throws IOException {
        progress.count(send(progress));
    }

    /** Sends until the stop command, and returns the number of bytes. */
    long send(Progress progress) throws IOException {
        try (channel) {
            Pattern pattern = new Pattern(size);
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
