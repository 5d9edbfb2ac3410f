// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Sends messages one way by a blocking channel. */
final class StreamClient implements Client {
    private final SocketChannel channel;
    private final MessageSource source;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(Long.BYTES);

    StreamClient(int port, MessageSource source) throws IOException {
        this.channel = ChannelIo.connect(port);
        this.source = source;
    }

    @Override
    public long run(long nanos) throws IOException {
        long end = System.nanoTime() + nanos;
        long sent = 0;
        boolean last;
        do {
            last = System.nanoTime() - end >= 0;
            source.send(channel, last);
            sent++;
        } while (!last);
        ChannelIo.readAnswer(channel, answer.clear());
        return Messages.checked(sent, answer.getLong(0));
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            source.close();
        }
    }
}
