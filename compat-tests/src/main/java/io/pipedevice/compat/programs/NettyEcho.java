// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Sends back what it receives, and reads no more while the peer does not take it. */
final class NettyEcho extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        context.write(message).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
        if (!context.channel().isWritable()) {
            context.flush();
            context.channel().config().setAutoRead(context.channel().isWritable());
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.channel().config().setAutoRead(context.channel().isWritable());
        context.fireChannelWritabilityChanged();
    }
}
