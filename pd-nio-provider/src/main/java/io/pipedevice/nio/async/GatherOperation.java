// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.nio.channels.SocketChannel;

/** A write of several buffers. */
final class GatherOperation<A> extends Operation<Long, A> {
    private final SocketChannel channel;
    private final ByteBuffer[] sources;
    private final int offset;
    private final int length;

    GatherOperation(
            SocketChannel channel,
            ByteBuffer[] sources,
            int offset,
            int length,
            CompletionHandler<Long, ? super A> handler,
            A attachment) {
        super(handler, attachment);
        this.channel = channel;
        this.sources = sources;
        this.offset = offset;
        this.length = length;
    }

    @Override
    boolean attempt() throws IOException {
        long count = channel.write(sources, offset, length);
        return (count != 0 || !Buffers.anyRemaining(sources, offset, length)) && succeed(count);
    }
}
