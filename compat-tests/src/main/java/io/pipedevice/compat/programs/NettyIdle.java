// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * A sender that sends one byte whenever it was idle, a few times, and a receiver that answers when it was idle after
 * that.
 */
final class NettyIdle {
    /** How many bytes the sender sends. */
    static final int COUNT = 5;

    private static final long IDLE_MS = 50;

    private NettyIdle() {}

    static ChannelHandler writer() {
        return new IdleStateHandler(0, IDLE_MS, 0, TimeUnit.MILLISECONDS);
    }

    static ChannelHandler reader() {
        return new IdleStateHandler(IDLE_MS, 0, 0, TimeUnit.MILLISECONDS);
    }

    /** State belongs to the event loop. */
    static final class Sender extends ChannelInboundHandlerAdapter {
        private int count;

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof IdleStateEvent idle && idle.state() == IdleState.WRITER_IDLE && count < COUNT) {
                count++;
                context.writeAndFlush(Unpooled.buffer().writeByte(count))
                        .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
            }
            context.fireUserEventTriggered(event);
        }
    }

    /** State belongs to the event loop. */
    static final class Receiver extends SimpleChannelInboundHandler<ByteBuf> {
        private int count;

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            count += message.readableBytes();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof IdleStateEvent && count == COUNT) {
                context.writeAndFlush(Unpooled.copiedBuffer(Integer.toString(count), StandardCharsets.US_ASCII))
                        .addListener(ChannelFutureListener.CLOSE);
            }
        }
    }
}
