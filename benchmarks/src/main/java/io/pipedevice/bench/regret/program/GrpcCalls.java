// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** One unary call of gRPC after the other, on a connection that is kept. */
@SuppressWarnings("FutureReturnValueIgnored") // nothing waits for the end of the event loops
final class GrpcCalls implements Client {
    static final String SERVICE = "pipedevice.Regret";
    static final MethodDescriptor<byte[], byte[]> ECHO = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Echo"))
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private static final int LENGTH = 100;

    private final int port;
    private final byte[] message = new byte[LENGTH];

    /** Both are made by the first turn, which so has all that is cold. */
    private EventLoopGroup group;

    private ManagedChannel channel;

    GrpcCalls(int port) {
        this.port = port;
    }

    @Override
    public long run(long nanos) throws IOException {
        long end = System.nanoTime() + nanos;
        if (channel == null) {
            group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
            channel = NettyChannelBuilder.forAddress(Loopback.at(port))
                    .usePlaintext()
                    .channelType(NioSocketChannel.class)
                    .eventLoopGroup(group)
                    .build();
        }
        long calls = 0;
        do {
            byte[] answer = ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, message);
            if (answer.length != LENGTH) {
                throw new IOException("call " + calls + " was answered by " + answer.length + " bytes");
            }
            calls++;
        } while (System.nanoTime() - end < 0);
        return calls;
    }

    @Override
    public void close() {
        if (channel != null) {
            channel.shutdownNow();
            group.shutdownGracefully();
        }
    }

    /** Messages are bytes without a format. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
