// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import static io.grpc.stub.ClientCalls.asyncBidiStreamingCall;
import static io.grpc.stub.ClientCalls.asyncClientStreamingCall;
import static io.grpc.stub.ClientCalls.asyncServerStreamingCall;
import static io.grpc.stub.ClientCalls.blockingUnaryCall;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Calls a gRPC server in all possible ways: takes its {@code port}, its {@code host} unless that is the loopback, and
 * the {@code size} of a check's data; with {@code shaded}, over the Netty that gRPC brings; with {@code measure}, it
 * only measures.
 */
final class GrpcClient {
    private static final int MESSAGES = 300;
    private static final int MAX_LENGTH = 8 << 20;
    private static final double STEEPNESS = 8;
    private static final int CHANNELS = 20;
    private static final int CALLS = 40;
    private static final int GIVEN_UP = 50;
    private static final long DEADLINE_MS = 100;
    private static final int MEASURED_LENGTH = 100;
    private static final byte[] NOTHING = {};

    private final boolean shaded;
    private final String host;
    private final int port;
    private final long size;
    private final Checks checks;
    private final ManagedChannel channel;

    private GrpcClient(Arguments arguments, Checks checks) {
        shaded = arguments.has("shaded");
        host = arguments.host();
        port = arguments.number("port");
        size = arguments.size("size");
        this.checks = checks;
        channel = open();
    }

    private ManagedChannel open() {
        ManagedChannelBuilder<?> builder = shaded
                ? io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder.forAddress(host, port)
                : NettyChannelBuilder.forAddress(host, port);
        return builder.usePlaintext()
                .maxInboundMessageSize(GrpcCalls.MAX_MESSAGE)
                .build();
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        GrpcClient client = new GrpcClient(arguments, checks);
        if (arguments.has("measure")) {
            checks.run("measure", client::measure);
        } else {
            checks.run("messages of all sizes", client::messages);
            checks.run("stream to the server", client::toServer);
            checks.run("stream from the server", client::fromServer);
            checks.run("streams both ways", () -> client.bothWays(client.channel, client.size));
            checks.run("many calls on many connections", client::many);
            checks.run("deadlines", client::deadlines);
            checks.run("calls that are given up", client::givenUp);
            checks.run("messages after all that", client::messages);
        }
        client.channel.shutdownNow();
        checks.end();
    }

    private void messages() throws Exception {
        for (int i = 0; i < MESSAGES; i++) {
            // Most are small, and the last is the largest.
            echo(i, (int) (MAX_LENGTH * Math.pow((double) i / MESSAGES, STEEPNESS)));
        }
        echo(MESSAGES, MAX_LENGTH);
    }

    private void echo(long seed, int length) throws Exception {
        byte[] message = Noise.bytes(seed, length);
        byte[] answer = blockingUnaryCall(channel, GrpcCalls.ECHO, CallOptions.DEFAULT, message);
        if (!Arrays.equals(message, answer)) {
            throw new AssertionError("a message of " + length + " bytes came back changed");
        }
        checks.sent(length);
        checks.received(length);
    }

    private void toServer() throws Exception {
        GrpcAnswer answer = GrpcAnswer.toNoise(1, size);
        asyncClientStreamingCall(channel.newCall(GrpcCalls.DIGEST, CallOptions.DEFAULT), answer);
        Checks.same(Noise.digest(1, size), answer.text());
        checks.sent(size);
    }

    private void fromServer() throws Exception {
        GrpcAnswer answer = noise(2, size, CallOptions.DEFAULT);
        Checks.same(Noise.digest(2, size), answer.digest());
        checks.received(size);
    }

    private GrpcAnswer noise(long seed, long length, CallOptions options) {
        GrpcAnswer answer = GrpcAnswer.toRequest();
        byte[] request = Noise.path(seed, length).getBytes(StandardCharsets.US_ASCII);
        asyncServerStreamingCall(channel.newCall(GrpcCalls.NOISE, options), request, answer);
        return answer;
    }

    private void bothWays(ManagedChannel by, long length) throws Exception {
        Checks.same(Noise.digest(3, length), echoes(by, 3, length).digest());
        checks.sent(length);
        checks.received(length);
    }

    private static GrpcAnswer echoes(ManagedChannel by, long seed, long length) {
        GrpcAnswer answer = GrpcAnswer.toNoise(seed, length);
        asyncBidiStreamingCall(by.newCall(GrpcCalls.ECHOES, CallOptions.DEFAULT), answer);
        return answer;
    }

    private void many() throws Exception {
        List<ManagedChannel> channels = new ArrayList<>();
        for (int i = 0; i < CHANNELS; i++) {
            channels.add(open());
        }
        long length = size / CALLS;
        List<GrpcAnswer> answers = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            answers.add(echoes(channels.get(i % CHANNELS), 3, length));
        }
        String digest = Noise.digest(3, length);
        for (GrpcAnswer answer : answers) {
            Checks.same(digest, answer.digest());
            checks.sent(length);
            checks.received(length);
        }
        for (ManagedChannel one : channels) {
            one.shutdown();
            Checks.same(true, one.awaitTermination(1, TimeUnit.MINUTES));
        }
    }

    /** Deadlines of calls that are not answered, and of answers without an end. */
    private void deadlines() throws Exception {
        for (int i = 0; i < GIVEN_UP; i++) {
            CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_MS, TimeUnit.MILLISECONDS);
            if (i % 2 == 0) {
                fails(
                        Status.Code.DEADLINE_EXCEEDED,
                        () -> blockingUnaryCall(channel, GrpcCalls.SILENCE, options, NOTHING));
            } else {
                GrpcAnswer answer = noise(i, Long.MAX_VALUE, options);
                fails(Status.Code.DEADLINE_EXCEEDED, answer::digest);
            }
        }
        awaitNoneOpen();
    }

    private void givenUp() throws Exception {
        for (int i = 0; i < GIVEN_UP; i++) {
            GrpcAnswer answer = noise(i, Long.MAX_VALUE, CallOptions.DEFAULT);
            answer.giveUpAfterSome();
            fails(Status.Code.CANCELLED, answer::digest);
        }
        awaitNoneOpen();
    }

    private static void fails(Status.Code expected, Checks.Check call) throws Exception {
        try {
            call.run();
        } catch (Exception e) {
            Checks.same(expected, Status.fromThrowable(e).getCode());
            return;
        }
        throw new AssertionError("expected " + expected);
    }

    /**
     * Waits until the server has seen the cancellation, which may take a while. It does not see a call whose deadline
     * passed before it was sent.
     */
    private void awaitNoneOpen() {
        blockingUnaryCall(channel, GrpcCalls.NONE_OPEN, CallOptions.DEFAULT, NOTHING);
    }

    /** Streams both ways, and then waits for the answer to each of some messages. */
    private void measure() throws Exception {
        String expected = Noise.digest(Noise.REPEATED, size);
        Checks.Check stream = () ->
                Checks.same(expected, echoes(channel, Noise.REPEATED, size).digest());
        Figures.warmUp(stream);
        Figures streams = new Figures();
        streams.printBytes(streams.repeat(stream) * size);
        Figures.warmUp(() -> echo(1, MEASURED_LENGTH));
        Figures alone = new Figures();
        alone.repeatOften(() -> echo(1, MEASURED_LENGTH));
        alone.printDelay();
    }
}
