// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.util.concurrent.CompletableFuture;

/** Sends one byte after the other, each after the previous one came back. State belongs to the event loop. */
final class NettyPing extends SimpleChannelInboundHandler<ByteBuf> {
    private final Figures figures;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private int left;
    private long sent;

    NettyPing(int count, Figures figures) {
        this.left = count;
        this.figures = figures;
    }

    void await() throws Exception {
        done.get();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        send(context);
    }

    private void send(ChannelHandlerContext context) {
        sent = System.nanoTime();
        context.writeAndFlush(Unpooled.buffer(1).writeByte(left))
                .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
        figures.delay(System.nanoTime() - sent);
        left--;
        if (left > 0) {
            send(context);
        } else {
            done.complete(null);
            context.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        done.completeExceptionally(cause);
    }
}
