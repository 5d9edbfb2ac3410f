// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;

/** Receives a stream. */
final class NettyReceiver extends NettyServer {
    private final Pattern pattern;

    NettyReceiver(int length) {
        pattern = new Pattern(length);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
        ByteBuf in = (ByteBuf) message;
        try {
            int length = in.readableBytes();
            if (progress().isChecking()) {
                pattern.checkAll(in.nioBuffer());
            } else if (length >= Long.BYTES) {
                pattern.checkWord(in.getLong(in.readerIndex()));
            }
            pattern.advance(length);
            progress().count(pattern.done());
        } finally {
            in.release();
        }
    }
}
