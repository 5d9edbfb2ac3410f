// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The checks of a Netty client with a {@link NettyServer}. Takes the server's ports, its {@code host} unless
 * that is the loopback, and the digest of its file. With
 * measure it only measures.
 */
final class NettyClient {
    private static final int THREADS = 2;
    private static final int CONNECTIONS = 500;
    private static final int MEASURED = 50_000;
    private static final int STOP_TIMEOUT_S = 10;

    private final EventLoopGroup group;
    private final NettyTransport transport;
    private final Arguments arguments;
    private final Checks checks;

    private NettyClient(EventLoopGroup group, NettyTransport transport, Arguments arguments, Checks checks) {
        this.group = group;
        this.transport = transport;
        this.arguments = arguments;
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        SslContext tls = SslContextBuilder.forClient()
                .trustManager(Tls.trust(arguments))
                .sslProvider(SslProvider.JDK)
                .build();
        NettyTransport transport = NettyTransport.of(arguments);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(THREADS, transport.handlers());
        try {
            NettyClient client = new NettyClient(group, transport, arguments, checks);
            if (arguments.has("measure")) {
                checks.run("measure", client::measure);
            } else {
                client.runAll(tls);
            }
        } finally {
            group.shutdownGracefully(0, STOP_TIMEOUT_S, TimeUnit.SECONDS).sync();
        }
        checks.end();
    }

    private void runAll(SslContext tls) throws InterruptedException {
        checks.run("echo of random sizes", () -> echo(1, arguments.size("size"), null));
        checks.run("echo on " + CONNECTIONS + " connections", () -> echo(CONNECTIONS, 1 << 16, null));
        checks.run("echo through TLS", () -> echo(4, arguments.size("size") / 16, tls));
        checks.run("answer after a half-close", this::halfClose);
        checks.run("file region", this::file);
        checks.run("idle handlers", this::idle);
        checks.run("WebSocket", this::webSocket);
    }

    /**
     * All connections exist before anything is sent, and stay until everything has come back, so each end has all of
     * them at once.
     */
    private void echo(int connections, long size, SslContext tls) throws Exception {
        String port = tls == null ? "echo" : "tls";
        List<Channel> channels = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            channels.add(connect(port, channel -> {
                if (tls != null) {
                    channel.pipeline()
                            .addLast(tls.newHandler(channel.alloc(), arguments.host(), arguments.number(port)));
                }
            }));
        }
        List<NettyNoise> echoes = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            NettyNoise echo = NettyNoise.echoed(i, size);
            echoes.add(echo);
            channels.get(i).pipeline().addLast(echo);
        }
        for (int i = 0; i < connections; i++) {
            Checks.same(Noise.digest(i, size), echoes.get(i).digest());
            checks.sent(size);
            checks.received(size);
        }
        Checks.same(
                (long) connections, channels.stream().filter(Channel::isActive).count());
        for (Channel channel : channels) {
            channel.close().sync();
        }
    }

    private void halfClose() throws Exception {
        long size = arguments.size("size");
        NettyNoise noise = NettyNoise.answered(size, size);
        connect("digest", channel -> channel.pipeline().addLast(noise));
        Checks.same(Noise.digest(size, size), noise.text());
        checks.sent(size);
    }

    private void file() throws Exception {
        NettyNoise silent = NettyNoise.silent();
        connect("file", channel -> channel.pipeline().addLast(silent));
        Checks.same(arguments.text("sha256"), silent.digest());
        checks.received(arguments.size("filesize"));
    }

    /** A handler at each end wakes when there is no traffic. */
    private void idle() throws Exception {
        NettyNoise silent = NettyNoise.silent();
        connect("idle", channel -> channel.pipeline().addLast(NettyIdle.writer(), new NettyIdle.Sender(), silent));
        Checks.same("" + NettyIdle.COUNT, silent.text());
    }

    private void webSocket() throws Exception {
        NettyWebSocket socket = new NettyWebSocket();
        URI uri = URI.create("ws://" + arguments.host() + ":" + arguments.number("websocket") + "/");
        socket.converse(connect("websocket", channel -> socket.addTo(channel.pipeline(), uri)), checks);
    }

    private void measure() throws Exception {
        long size = arguments.size("size");
        Figures.warmUp(() -> flood(size));
        Figures bulk = new Figures();
        bulk.printBytes(bulk.repeat(() -> flood(size)) * size);
        Figures.warmUp(() -> ping(new Figures()));
        Figures small = new Figures();
        ping(small);
        small.printDelay();
    }

    private void flood(long size) throws Exception {
        NettyFlood flood = new NettyFlood(size);
        connect("echo", channel -> channel.pipeline().addLast(flood));
        flood.await();
    }

    private void ping(Figures figures) throws Exception {
        NettyPing ping = new NettyPing(MEASURED, figures);
        connect("echo", channel -> channel.pipeline().addLast(ping));
        ping.await();
    }

    /** Creates the pipeline of a new connection. */
    private interface Pipeline {
        void make(SocketChannel channel);
    }

    private Channel connect(String port, Pipeline pipeline) throws InterruptedException {
        return new Bootstrap()
                .group(group)
                .channel(transport.clients())
                .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        pipeline.make(channel);
                    }
                })
                .connect(arguments.host(), arguments.number(port))
                .sync()
                .channel();
    }
}
