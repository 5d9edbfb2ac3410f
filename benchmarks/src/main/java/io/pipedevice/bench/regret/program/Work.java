// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadFactory;

/** The traffic of two programs. */
public enum Work {
    /** Messages of 64 KB one way by channels, direct buffers. */
    STREAM_DIRECT,

    /** The same with buffers on the heap. */
    STREAM_HEAP,

    /** Messages of 64 KB one way by sockets of java.net. */
    STREAM_SOCKET,

    /** Messages of 64 KB one way by gathering writes of 16 direct buffers. */
    GATHER,

    /** Messages of 64 KB one way out of a file. */
    TRANSFER_TO,

    /** Messages of 64 KB from the server to the client, into a file. */
    TRANSFER_FROM,

    /** Messages of 64 B there and back by channels, direct buffers. */
    TRIPS_DIRECT,

    /** The same with buffers on the heap. */
    TRIPS_HEAP,

    /** Messages of 64 B there and back by some sockets of java.net, each with a thread at both ends. */
    TRIPS_SOCKET,

    /** The same with virtual threads. */
    TRIPS_VIRTUAL,

    /** Some threads that connect, exchange a byte and close. */
    CONNECT,

    /** Some threads that connect to one selector, which closes. */
    ACCEPT,

    /** Messages of 64 B there and back on many connections in turn; the server has them in one selector. */
    SELECTOR,

    /** Messages of 64 B there and back on some connections by Netty's NIO transport. */
    NETTY,

    /** The same by the transport that Netty says is available: epoll, or NIO if that is not. */
    NETTY_BEST,

    /** Messages of 64 B there and back on some asynchronous channels. */
    ASYNC,

    /** Messages of 64 KB one way by an asynchronous channel. */
    ASYNC_STREAM,

    /** Requests to the JDK's HTTP server by the JDK's HTTP client. */
    HTTP,

    /** Unary calls by gRPC, on java.nio. */
    GRPC;

    /** Starts to serve this. */
    Server serve(int count) throws IOException {
        return switch (this) {
            case STREAM_DIRECT, GATHER, TRANSFER_TO ->
                new ChannelServer(channel -> Messages.receive(channel, ByteBuffer.allocateDirect(Messages.SIZE)));
            case STREAM_HEAP ->
                new ChannelServer(channel -> Messages.receive(channel, ByteBuffer.allocate(Messages.SIZE)));
            case STREAM_SOCKET -> new SocketServer(platform(), SocketStream::receive);
            case TRANSFER_FROM -> new ChannelServer(Chunks::serve);
            case TRIPS_DIRECT ->
                new ChannelServer(channel -> ChannelEcho.serve(channel, ByteBuffer.allocateDirect(ChannelEcho.SIZE)));
            case TRIPS_HEAP ->
                new ChannelServer(channel -> ChannelEcho.serve(channel, ByteBuffer.allocate(ChannelEcho.SIZE)));
            case TRIPS_SOCKET -> new SocketServer(platform(), SocketTrips::serve);
            case TRIPS_VIRTUAL -> new SocketServer(virtual(), SocketTrips::serve);
            case CONNECT -> new ConnectServer(count);
            case ACCEPT -> new AcceptServer().start("accept");
            case SELECTOR -> new SelectorEcho().start("selector");
            case NETTY -> new NettyEcho(NettyTransport.nio());
            case NETTY_BEST -> new NettyEcho(NettyTransport.best());
            case ASYNC -> new AsyncServer(channel -> new AsyncEcho(channel, ChannelEcho.SIZE).begin());
            case ASYNC_STREAM -> new AsyncServer(channel -> new AsyncReceiver(channel).begin());
            case HTTP -> new HttpAnswers();
            case GRPC -> new GrpcAnswers();
        };
    }

    /** Opens the client of a server of the same work. */
    Client open(int port, int count) throws IOException {
        return switch (this) {
            case STREAM_DIRECT -> new StreamClient(port, new BufferSource(ByteBuffer.allocateDirect(Messages.SIZE)));
            case STREAM_HEAP -> new StreamClient(port, new BufferSource(ByteBuffer.allocate(Messages.SIZE)));
            case STREAM_SOCKET -> new SocketStream(port);
            case GATHER -> new StreamClient(port, new GatheringSource());
            case TRANSFER_TO -> new StreamClient(port, new FileSource());
            case TRANSFER_FROM -> new FileReceiver(port);
            case TRIPS_DIRECT -> new ChannelEcho(port, ByteBuffer.allocateDirect(ChannelEcho.SIZE));
            case TRIPS_HEAP -> new ChannelEcho(port, ByteBuffer.allocate(ChannelEcho.SIZE));
            case TRIPS_SOCKET -> new SocketTrips(port, count, platform());
            case TRIPS_VIRTUAL -> new SocketTrips(port, count, virtual());
            case CONNECT -> new ConnectClient(port, count);
            case ACCEPT -> new AcceptClient(port, count);
            case SELECTOR -> new RotatingClient(port, count);
            case NETTY -> new NettyTrips(NettyTransport.nio(), port, count);
            case NETTY_BEST -> new NettyTrips(NettyTransport.best(), port, count);
            case ASYNC -> new AsyncTrips(port, count);
            case ASYNC_STREAM -> new AsyncStream(port);
            case HTTP -> new HttpCalls(port);
            case GRPC -> new GrpcCalls(port);
        };
    }

    private static ThreadFactory platform() {
        return Thread.ofPlatform().daemon().factory();
    }

    private static ThreadFactory virtual() {
        return Thread.ofVirtual().factory();
    }
}
