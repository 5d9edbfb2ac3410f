// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.EOFException;
import java.util.concurrent.CompletableFuture;

/**
 * Sends zeros as long as the channel is writable, and counts what comes back, so that the measurement includes neither
 * the generation nor the digest of noise. State belongs to the event loop.
 */
final class NettyFlood extends SimpleChannelInboundHandler<ByteBuf> {
    private static final int BLOCK = 1 << 16;

    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private long toSend;
    private long toReceive;

    NettyFlood(long size) {
        toSend = size;
        toReceive = size;
    }

    /** Waits until all of it came back. */
    void await() throws Exception {
        done.get();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        send(context);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        send(context);
    }

    private void send(ChannelHandlerContext context) {
        while (toSend > 0 && context.channel().isWritable()) {
            int length = (int) Math.min(toSend, BLOCK);
            toSend -= length;
            context.writeAndFlush(context.alloc().buffer(length).writeZero(length))
                    .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
        toReceive -= message.readableBytes();
        if (toReceive == 0) {
            done.complete(null);
            context.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        done.completeExceptionally(new EOFException(toReceive + " bytes have not come back"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        done.completeExceptionally(cause);
    }
}
