// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;

/** Echoes by a transport of Netty, on one event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection, which the client notices
final class NettyEcho implements Server {
    private final EventLoopGroup group;
    private final Channel listener;

    NettyEcho(NettyTransport transport) {
        group = transport.group();
        listener = new ServerBootstrap()
                .group(group)
                .channel(transport.servers())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new Echo());
                    }
                })
                .bind(Loopback.any())
                .syncUninterruptibly()
                .channel();
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message, context.voidPromise());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            Failure.report(cause);
            context.close();
        }
    }

    @Override
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public void close() {
        listener.close().syncUninterruptibly();
        group.shutdownGracefully();
    }
}
