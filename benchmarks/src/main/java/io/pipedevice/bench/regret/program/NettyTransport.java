// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * A transport of Netty.
 *
 * @param handlers of its event loops
 * @param clients its channels that connect
 * @param servers its channels that accept
 */
record NettyTransport(
        IoHandlerFactory handlers,
        Class<? extends SocketChannel> clients,
        Class<? extends ServerSocketChannel> servers) {
    static NettyTransport nio() {
        return new NettyTransport(NioIoHandler.newFactory(), NioSocketChannel.class, NioServerSocketChannel.class);
    }

    /** Epoll if Netty says that it is available, as libraries choose; else NIO. */
    static NettyTransport best() {
        return Epoll.isAvailable()
                ? new NettyTransport(
                        EpollIoHandler.newFactory(), EpollSocketChannel.class, EpollServerSocketChannel.class)
                : nio();
    }

    /** A group of one event loop. */
    EventLoopGroup group() {
        return new MultiThreadIoEventLoopGroup(1, handlers);
    }
}
