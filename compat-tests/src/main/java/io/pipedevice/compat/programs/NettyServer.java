// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.stream.ChunkedWriteHandler;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Netty's NIO transport: a port for each feature of a pipeline. Takes {@code keystore}, {@code file}, {@code host}, an
 * address, unless that is the loopback, and ports such as {@code echo.port} unless any will do.
 */
final class NettyServer {
    private static final int THREADS = 2;
    private static final int STOP_TIMEOUT_S = 10;

    /** Largest frame of a WebSocket. */
    static final int MAX_FRAME = 1 << 20;

    private final Arguments arguments;
    private final ServerBootstrap bootstrap;

    private NettyServer(Arguments arguments, EventLoopGroup group, NettyTransport transport) {
        this.arguments = arguments;
        bootstrap = new ServerBootstrap().group(group).channel(transport.servers());
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        SslContext tls = SslContextBuilder.forServer(Tls.keys(arguments))
                .sslProvider(SslProvider.JDK)
                .build();
        Path file = Path.of(arguments.text("file"));
        NettyTransport transport = NettyTransport.of(arguments);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(THREADS, transport.handlers());
        try {
            NettyServer server = new NettyServer(arguments, group, transport);
            Console.ready(
                    server.listen("echo", channel -> add(channel, new NettyEcho())),
                    server.listen("tls", channel -> add(channel, tls.newHandler(channel.alloc()), new NettyEcho())),
                    server.listen("digest", channel -> add(channel, new NettyDigest())),
                    server.listen("idle", channel -> add(channel, NettyIdle.reader(), new NettyIdle.Receiver())),
                    server.listen("file", channel -> add(channel, new NettyFile(file))),
                    server.listen(
                            "http",
                            channel -> add(channel, new HttpServerCodec(), new ChunkedWriteHandler(), new NettyHttp())),
                    server.listen(
                            "websocket",
                            channel -> add(
                                    channel,
                                    new HttpServerCodec(),
                                    new HttpObjectAggregator(MAX_FRAME),
                                    new WebSocketServerProtocolHandler("/", null, false, MAX_FRAME),
                                    new NettyEcho())));
            Console.awaitEnd();
        } finally {
            group.shutdownGracefully(0, STOP_TIMEOUT_S, TimeUnit.SECONDS).sync();
        }
        System.exit(0);
    }

    private static void add(Channel channel, ChannelHandler... handlers) {
        channel.pipeline().addLast(handlers);
    }

    /** Creates the pipeline of an accepted connection. */
    private interface Pipeline {
        void make(SocketChannel channel);
    }

    private String listen(String name, Pipeline pipeline) throws InterruptedException {
        String port = name + ".port";
        Channel channel = bootstrap
                .clone()
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, name.equals("digest"))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel accepted) {
                        pipeline.make(accepted);
                    }
                })
                .bind(arguments.host(), arguments.has(port) ? arguments.number(port) : 0)
                .sync()
                .channel();
        return name + "=" + ((InetSocketAddress) channel.localAddress()).getPort();
    }
}
