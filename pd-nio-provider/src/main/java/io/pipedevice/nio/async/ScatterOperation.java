// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.nio.channels.SocketChannel;

/** A read into several buffers. */
final class ScatterOperation<A> extends Operation<Long, A> {
    private final SocketChannel channel;
    private final ByteBuffer[] targets;
    private final int offset;
    private final int length;

    /** @throws IllegalArgumentException if a buffer is read-only */
    ScatterOperation(
            SocketChannel channel,
            ByteBuffer[] targets,
            int offset,
            int length,
            CompletionHandler<Long, ? super A> handler,
            A attachment) {
        super(handler, attachment);
        for (int i = offset; i < offset + length; i++) {
            if (targets[i].isReadOnly()) {
                throw new IllegalArgumentException("Read-only buffer");
            }
        }
        this.channel = channel;
        this.targets = targets;
        this.offset = offset;
        this.length = length;
    }

    @Override
    boolean attempt() throws IOException {
        long count = channel.read(targets, offset, length);
        return (count != 0 || !Buffers.anyRemaining(targets, offset, length)) && succeed(count);
    }
}
