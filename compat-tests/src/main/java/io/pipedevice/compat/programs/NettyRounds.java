// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;

/**
 * Echoes of a {@link NettyServer}, whose ports it takes, each on a connection of its own, for as long as the test
 * wants.
 */
final class NettyRounds {
    private static final int THREADS = 3;
    private static final int EVENT_LOOPS = 2;
    private static final int STOP_TIMEOUT_S = 10;
    private static final int FEW_BYTES = 1000;
    private static final int MANY_BYTES = 3_000_000;

    private final EventLoopGroup group;
    private final int port;

    private NettyRounds(EventLoopGroup group, int port) {
        this.group = group;
        this.port = port;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(EVENT_LOOPS, NioIoHandler.newFactory());
        try {
            NettyRounds rounds = new NettyRounds(group, arguments.number("echo"));
            Rounds.run(checks, THREADS, rounds::echo);
        } finally {
            group.shutdownGracefully(0, STOP_TIMEOUT_S, TimeUnit.SECONDS).sync();
        }
        checks.end();
    }

    /** Most are short, as most connections are. */
    private void echo(long number) throws Exception {
        long size = number % 10 == 0 ? MANY_BYTES : FEW_BYTES;
        NettyNoise echo = NettyNoise.echoed(number, size);
        Channel channel = connect(echo);
        try {
            Checks.same(Noise.digest(number, size), echo.digest());
        } finally {
            channel.close().sync();
        }
    }

    private Channel connect(ChannelHandler handler) throws InterruptedException {
        return new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(handler);
                    }
                })
                .connect(InetAddress.getLoopbackAddress(), port)
                .sync()
                .channel();
    }
}
