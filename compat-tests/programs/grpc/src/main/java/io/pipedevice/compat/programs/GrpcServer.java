// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import static io.grpc.stub.ServerCalls.asyncBidiStreamingCall;
import static io.grpc.stub.ServerCalls.asyncClientStreamingCall;
import static io.grpc.stub.ServerCalls.asyncServerStreamingCall;
import static io.grpc.stub.ServerCalls.asyncUnaryCall;

import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A server of gRPC over Netty, with the transport that gRPC chooses; with {@code shaded}, over gRPC's own copy of
 * Netty; at {@code host}, unless that is the loopback.
 */
final class GrpcServer {
    /** It warns about each stream that its client cancels while there are data to send. */
    private static final Logger LOGGER = Logger.getLogger("io.grpc.netty.NettyServerHandler");

    private static final Logger SHADED = Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerHandler");

    private final GrpcOpenCalls calls = new GrpcOpenCalls();

    private GrpcServer() {}

    public static void main(String[] args) throws IOException {
        LOGGER.setLevel(Level.SEVERE);
        SHADED.setLevel(Level.SEVERE);
        Arguments arguments = new Arguments(args);
        Server server = builder(arguments.has("shaded"), new InetSocketAddress(arguments.host(), 0))
                .maxInboundMessageSize(GrpcCalls.MAX_MESSAGE)
                .addService(new GrpcServer().service())
                .build()
                .start();
        Console.ready("port=" + server.getPort());
        Console.awaitEnd();
        server.shutdownNow();
        System.exit(0);
    }

    private static ServerBuilder<?> builder(boolean shaded, SocketAddress address) {
        return shaded
                ? io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder.forAddress(address)
                : NettyServerBuilder.forAddress(address);
    }

    private ServerServiceDefinition service() {
        return ServerServiceDefinition.builder(GrpcCalls.SERVICE)
                .addMethod(GrpcCalls.ECHO, asyncUnaryCall(GrpcServer::answer))
                .addMethod(GrpcCalls.DIGEST, asyncClientStreamingCall(GrpcServer::digest))
                .addMethod(GrpcCalls.NOISE, asyncServerStreamingCall(this::noise))
                .addMethod(GrpcCalls.ECHOES, asyncBidiStreamingCall(GrpcServer::echoes))
                .addMethod(GrpcCalls.SILENCE, asyncUnaryCall((request, answers) -> calls.opened(answers)))
                .addMethod(
                        GrpcCalls.NONE_OPEN,
                        asyncUnaryCall((request, answers) -> calls.whenNone(() -> answer(request, answers))))
                .build();
    }

    private static void answer(byte[] message, StreamObserver<byte[]> answers) {
        answers.onNext(message);
        answers.onCompleted();
    }

    private static StreamObserver<byte[]> digest(StreamObserver<byte[]> answers) {
        MessageDigest digest = Noise.sha256();
        return new Receiver() {
            @Override
            public void onNext(byte[] message) {
                digest.update(message);
            }

            @Override
            public void onCompleted() {
                answer(Noise.text(digest).getBytes(StandardCharsets.US_ASCII), answers);
            }
        };
    }

    private void noise(byte[] request, StreamObserver<byte[]> answers) {
        ServerCallStreamObserver<byte[]> call = calls.opened(answers);
        String path = new String(request, StandardCharsets.US_ASCII);
        call.setOnReadyHandler(new GrpcNoise(Noise.ofPath(path), Noise.lengthIn(path), call));
    }

    /** Requests a message only when the answer to the previous one was sent. */
    private static StreamObserver<byte[]> echoes(StreamObserver<byte[]> answers) {
        ServerCallStreamObserver<byte[]> call = (ServerCallStreamObserver<byte[]>) answers;
        Echoes echoes = new Echoes(call);
        call.disableAutoRequest();
        call.setOnReadyHandler(echoes::ask);
        return echoes;
    }

    /** Ignores the end of a call that its caller has given up. */
    private abstract static class Receiver implements StreamObserver<byte[]> {
        @Override
        public final void onError(Throwable cause) {
            // No caller waits for an answer.
        }
    }

    /** State belongs to the call. */
    private static final class Echoes extends Receiver {
        private final ServerCallStreamObserver<byte[]> call;
        private boolean asked;

        Echoes(ServerCallStreamObserver<byte[]> call) {
            this.call = call;
        }

        void ask() {
            if (!asked && call.isReady()) {
                asked = true;
                call.request(1);
            }
        }

        @Override
        public void onNext(byte[] message) {
            asked = false;
            call.onNext(message);
            ask();
        }

        @Override
        public void onCompleted() {
            call.onCompleted();
        }
    }
}
