// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;

/** Answers calls of gRPC with what they send. By itself gRPC would bypass java.nio. */
@SuppressWarnings("FutureReturnValueIgnored") // nothing waits for the end of the event loops
final class GrpcAnswers implements io.pipedevice.bench.regret.program.Server {
    private final EventLoopGroup accepting = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoopGroup serving = new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory());
    private final Server server;

    GrpcAnswers() throws IOException {
        server = NettyServerBuilder.forAddress(Loopback.any())
                .channelType(NioServerSocketChannel.class)
                .bossEventLoopGroup(accepting)
                .workerEventLoopGroup(serving)
                .addService(ServerServiceDefinition.builder(GrpcCalls.SERVICE)
                        .addMethod(GrpcCalls.ECHO, ServerCalls.asyncUnaryCall(GrpcAnswers::answer))
                        .build())
                .build()
                .start();
    }

    private static void answer(byte[] message, StreamObserver<byte[]> answers) {
        answers.onNext(message);
        answers.onCompleted();
    }

    @Override
    public int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        server.shutdownNow();
        accepting.shutdownGracefully();
        serving.shutdownGracefully();
    }
}
