// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;

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
    /**
     * The transport that {@code transport=...} names: {@code epoll}, {@code asked} for the best one that Netty says is
     * available, as libraries do, or {@code nio}, which is the default.
     */
    static NettyTransport of(Arguments arguments) {
        return switch (arguments.has("transport") ? arguments.text("transport") : "nio") {
            case "epoll" -> epoll();
            case "asked" -> available();
            case "nio" -> nio();
            default -> throw new IllegalArgumentException(arguments.text("transport"));
        };
    }

    private static NettyTransport available() {
        boolean hasUring = IoUring.isAvailable();
        if (Epoll.isAvailable()) {
            return epoll();
        }
        return hasUring
                ? new NettyTransport(
                        IoUringIoHandler.newFactory(), IoUringSocketChannel.class, IoUringServerSocketChannel.class)
                : nio();
    }

    private static NettyTransport epoll() {
        return new NettyTransport(
                EpollIoHandler.newFactory(), EpollSocketChannel.class, EpollServerSocketChannel.class);
    }

    private static NettyTransport nio() {
        return new NettyTransport(NioIoHandler.newFactory(), NioSocketChannel.class, NioServerSocketChannel.class);
    }
}
