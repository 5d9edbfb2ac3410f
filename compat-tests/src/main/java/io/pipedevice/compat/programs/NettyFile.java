// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultFileRegion;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Sends a file as a region, by FileChannel.transferTo, and closes. */
final class NettyFile extends ChannelInboundHandlerAdapter {
    private final Path file;

    NettyFile(Path file) {
        this.file = file;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        context.writeAndFlush(new DefaultFileRegion(channel, 0, channel.size()))
                .addListener(ChannelFutureListener.CLOSE);
    }
}
