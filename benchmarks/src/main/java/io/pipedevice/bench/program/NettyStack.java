// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Netty with one of its transports: one event loop, one connection, a flush for each message. */
final class NettyStack implements Stack {
    private static final int MIN_READ = 64 << 10;

    private final EventLoopGroup group;
    private final Class<? extends Channel> channels;
    private final Class<? extends ServerChannel> servers;

    private NettyStack(
            IoHandlerFactory handlers, Class<? extends Channel> channels, Class<? extends ServerChannel> servers) {
        this.group = new MultiThreadIoEventLoopGroup(1, handlers);
        this.channels = channels;
        this.servers = servers;
    }

    static NettyStack of(String name) {
        return switch (name) {
            case "netty-nio" ->
                new NettyStack(NioIoHandler.newFactory(), NioSocketChannel.class, NioServerSocketChannel.class);
            case "netty-epoll" -> {
                available(Epoll.unavailabilityCause());
                yield new NettyStack(
                        EpollIoHandler.newFactory(), EpollSocketChannel.class, EpollServerSocketChannel.class);
            }
            case "netty-io_uring" -> {
                available(IoUring.unavailabilityCause());
                yield new NettyStack(
                        IoUringIoHandler.newFactory(), IoUringSocketChannel.class, IoUringServerSocketChannel.class);
            }
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static void available(Throwable cause) {
        if (cause != null) {
            Throwable root = cause;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            throw new UnsupportedOperationException(
                    String.valueOf(root.getMessage()).lines().findFirst().orElse(""), cause);
        }
    }

    @Override
    public Job.Server server(Kind kind, int size) throws IOException {
        NettyServer job = isRoundTrip(kind) ? new NettyEcho() : new NettyReceiver(readSize(size));
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(servers)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(readSize(size)))
                .childHandler(job);
        job.listensOn(await(bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))));
        return job;
    }

    @Override
    public Job client(Kind kind, int size, String address, int connections, int busy) throws IOException {
        NettyClient job = isRoundTrip(kind) ? new NettyPingPong(size) : new NettySender(size, Pace.of(kind));
        job.connectedOn(connect(job, size, address));
        return job;
    }

    private Channel connect(ChannelHandler handler, int size, String address) throws IOException {
        return await(new Bootstrap()
                .group(group)
                .channel(channels)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(readSize(size)))
                .handler(handler)
                .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address))));
    }

    /** An event loop has no blocking calls, so that both kinds are the same. */
    private static boolean isRoundTrip(Kind kind) {
        return kind == Kind.SELECTOR || kind == Kind.PING_PONG;
    }

    private static int readSize(int size) {
        return Math.max(MIN_READ, size);
    }

    private static Channel await(io.netty.channel.ChannelFuture future) throws IOException {
        if (!future.awaitUninterruptibly().isSuccess()) {
            throw new IOException("netty: " + future.cause(), future.cause());
        }
        return future.channel();
    }
}
