// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Reads until its peer shuts its output down, and then answers through the half that is still open. */
final class NettyDigest extends SimpleChannelInboundHandler<ByteBuf> {
    private final MessageDigest digest = Noise.sha256();

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
        digest.update(message.nioBuffer());
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            context.writeAndFlush(Unpooled.copiedBuffer(Noise.text(digest), StandardCharsets.US_ASCII))
                    .addListener(ChannelFutureListener.CLOSE);
        }
    }
}
