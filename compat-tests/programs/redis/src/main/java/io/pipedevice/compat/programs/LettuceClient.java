// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.lettuce.core.LMoveArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Works with a Redis at a {@code port} through Lettuce, and moves about the {@code size} that it is given; with
 * {@code measure} it only measures.
 */
final class LettuceClient {
    private static final int MAX_VALUE = 8 << 20;
    private static final int VALUES = 100;
    private static final int COMMANDS = 50_000;
    private static final int MESSAGES = 10_000;
    private static final int SESSIONS = 100;
    private static final int MEASURED_LENGTH = 100;

    private final RedisClient client;
    private final long size;
    private final Checks checks;
    private final StatefulRedisConnection<byte[], byte[]> connection;

    private LettuceClient(Arguments arguments, Checks checks) {
        client = RedisClient.create(RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(arguments.number("port"))
                .withTimeout(Duration.ofSeconds(arguments.size("limit")))
                .build());
        size = arguments.size("size");
        this.checks = checks;
        connection = open();
    }

    private StatefulRedisConnection<byte[], byte[]> open() {
        return client.connect(ByteArrayCodec.INSTANCE);
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        LettuceClient client = new LettuceClient(arguments, checks);
        if (arguments.has("measure")) {
            checks.run("measure", client::measure);
        } else {
            checks.run("values of all sizes", client::values);
            checks.run("large values", client::large);
            checks.run("commands that are not waited for", client::commands);
            checks.run("messages to subscribers", client::messages);
            checks.run("many connections", client::sessions);
        }
        client.client.shutdown();
        checks.end();
    }

    private void values() throws Exception {
        for (int i = 0; i < VALUES; i++) {
            keep(connection.sync(), i, i * i);
        }
    }

    private void large() throws Exception {
        for (int i = 0; i < size / MAX_VALUE; i++) {
            keep(connection.sync(), i, MAX_VALUE - i);
        }
    }

    private void keep(RedisCommands<byte[], byte[]> redis, int seed, int length) throws Exception {
        byte[] value = Noise.bytes(seed, length);
        Checks.same("OK", redis.set(key("value"), value));
        checks.cameBack(value, redis.get(key("value")));
    }

    private static byte[] key(Object name) {
        return name.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** The answers arrive in the order of the commands, and each belongs to its command. */
    private void commands() throws Exception {
        List<RedisFuture<byte[]>> answers = new ArrayList<>(COMMANDS);
        for (int i = 0; i < COMMANDS; i++) {
            answers.add(connection.async().echo(key(i)));
        }
        for (int i = 0; i < COMMANDS; i++) {
            checks.cameBack(key(i), answers.get(i).get());
        }
    }

    private void messages() throws Exception {
        BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
        try (StatefulRedisPubSubConnection<byte[], byte[]> subscriber = client.connectPubSub(ByteArrayCodec.INSTANCE)) {
            subscriber.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(byte[] channel, byte[] message) {
                    received.add(message);
                }
            });
            subscriber.sync().subscribe(key("news"));
            List<RedisFuture<Long>> published = new ArrayList<>(MESSAGES);
            for (int i = 0; i < MESSAGES; i++) {
                published.add(connection.async().publish(key("news"), Noise.bytes(i, 1 + i % VALUES)));
            }
            for (int i = 0; i < MESSAGES; i++) {
                checks.cameBack(Noise.bytes(i, 1 + i % VALUES), received.take());
                Checks.same(1L, published.get(i).get());
            }
        }
    }

    /** Sessions, each of which waits for the value that the previous one pushes. */
    private void sessions() throws Exception {
        List<StatefulRedisConnection<byte[], byte[]>> sessions = new ArrayList<>();
        List<RedisFuture<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            StatefulRedisConnection<byte[], byte[]> session = open();
            sessions.add(session);
            answers.add(
                    session.async().blmove(key("chain" + i), key("chain" + (i + 1)), LMoveArgs.Builder.leftRight(), 0));
        }
        Checks.same(1L, connection.sync().lpush(key("chain0"), key("it")));
        for (RedisFuture<byte[]> answer : answers) {
            checks.cameBack(key("it"), answer.get());
        }
        sessions.forEach(StatefulRedisConnection::close);
    }

    /** Reads, one after the other: nothing but a round trip. */
    private void measure() throws Exception {
        byte[] value = Noise.bytes(1, MEASURED_LENGTH);
        connection.sync().set(key("measured"), value);
        Figures.warmUp(() -> read(value, 1));
        Figures figures = new Figures();
        figures.printOperations(figures.repeatOften(() -> read(value, 1)));
        figures.printDelay();
    }

    private void read(byte[] value, int count) {
        for (int i = 0; i < count; i++) {
            checks.cameBack(value, connection.sync().get(key("measured")));
        }
    }
}
