// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import io.netty.channel.ChannelHandlerContext;

/** Sends received data back. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is noticed
final class NettyEcho extends NettyServer {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        context.writeAndFlush(message, context.voidPromise());
    }
}
