// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.nio.channels.SocketChannel;

/** A read into one buffer. */
final class ReadOperation<A> extends Operation<Integer, A> {
    private final SocketChannel channel;
    private final ByteBuffer target;

    /** @throws IllegalArgumentException if the buffer is read-only */
    ReadOperation(
            SocketChannel channel, ByteBuffer target, CompletionHandler<Integer, ? super A> handler, A attachment) {
        super(handler, attachment);
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
        this.channel = channel;
        this.target = target;
    }

    @Override
    boolean attempt() throws IOException {
        int count = channel.read(target);
        return (count != 0 || !target.hasRemaining()) && succeed(count);
    }
}
