// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.TimeUnit;

/** Writes and flushes one message after the other, as long as the channel is writable, at a pace. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is noticed
final class NettySender extends NettyClient {
    private final Pattern pattern;
    private final ByteBuf memory;
    private final int size;
    private final Pace pace;
    private boolean going;
    private boolean ended;
    private boolean scheduled;

    NettySender(int size, Pace pace) {
        this.size = size;
        this.pace = pace;
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
        while (!progress().isStopping() && channel().isWritable() && pace.isDue(pattern.done())) {
            channel()
                    .writeAndFlush(
                            memory.retainedSlice(pattern.nextOffset(), size),
                            channel().voidPromise());
        }
        going = false;
        if (!progress().isStopping() && channel().isWritable() && !scheduled) {
            scheduled = true;
            channel().eventLoop().schedule(this::goOn, pace.nanosLeft(), TimeUnit.NANOSECONDS);
        }
        if (progress().isStopping()) {
            ended = true;
            progress().count(pattern.done());
            channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void goOn() {
        scheduled = false;
        go();
    }
}
