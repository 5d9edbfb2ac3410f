// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.nio.channels.SocketChannel;

/** A write of one buffer. */
final class WriteOperation<A> extends Operation<Integer, A> {
    private final SocketChannel channel;
    private final ByteBuffer source;

    WriteOperation(
            SocketChannel channel, ByteBuffer source, CompletionHandler<Integer, ? super A> handler, A attachment) {
        super(handler, attachment);
        this.channel = channel;
        this.source = source;
    }

    @Override
    boolean attempt() throws IOException {
        int count = channel.write(source);
        return (count != 0 || !source.hasRemaining()) && succeed(count);
    }
}
