// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;

/** Writes and flushes one message after the other, as long as the channel is writable. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is noticed
final class NettySender extends NettyClient {
    private final Pattern pattern;
    private final ByteBuf memory;
    private final int size;
    private boolean going;
    private boolean ended;

    NettySender(int size) {
        this.size = size;
        this.pattern = new Pattern(size);
        this.memory = Unpooled.wrappedBuffer(pattern.memory());
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel().isWritable()) {
            go();
        }
    }

    /** A flush that makes the channel writable again calls this recursively. */
    @Override
    void go() {
        if (going || ended) {
            return;
        }
        going = true;
        while (!progress().isStopping() && channel().isWritable()) {
            channel()
                    .writeAndFlush(
                            memory.retainedSlice(pattern.nextOffset(), size),
                            channel().voidPromise());
        }
        going = false;
        if (progress().isStopping()) {
            ended = true;
            progress().count(pattern.done());
            channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }
}
