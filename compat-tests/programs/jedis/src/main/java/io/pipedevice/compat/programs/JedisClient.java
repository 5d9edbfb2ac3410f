// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.Response;

/**
 * Works with a server of the protocol of Redis at a {@code port} through Jedis, and moves about the {@code size} that
 * it is given; with {@code measure} it only measures.
 */
final class JedisClient {

    /** Not more, because the server reads bytes one by one: from the kernel it needs a system call for each. */
    private static final int MAX_VALUE = 1 << 20;

    private static final int VALUES = 100;
    private static final int COMMANDS = 10_000;
    private static final int MESSAGES = 1000;
    private static final int CONNECTIONS = 100;
    private static final int MEASURED_LENGTH = 100;
    private static final byte[] CHANNEL = key("channel");

    private final HostAndPort server;
    private final JedisClientConfig config;
    private final long size;
    private final Checks checks;
    private final Jedis jedis;

    private JedisClient(Arguments arguments, Checks checks) {
        server = new HostAndPort("127.0.0.1", arguments.number("port"));
        config = DefaultJedisClientConfig.builder()
                // No HELLO, to which this server answers by a text where Jedis wants a number.
                .serverDefaultProtocol()
                .timeoutMillis((int) TimeUnit.SECONDS.toMillis(arguments.size("limit")))
                .build();
        size = arguments.size("size");
        this.checks = checks;
        jedis = open();
    }

    private Jedis open() {
        return new Jedis(server, config);
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        JedisClient client = new JedisClient(arguments, checks);
        if (arguments.has("measure")) {
            checks.run("measure", client::measure);
        } else {
            checks.run("values of all sizes", client::values);
            checks.run("large values", client::large);
            checks.run("commands that are not waited for", client::commands);
            checks.run("messages to a subscriber", client::messages);
            checks.run("a pool of connections", client::pool);
        }
        client.jedis.close();
        checks.end();
    }

    private void values() {
        for (int i = 0; i < VALUES; i++) {
            keep(i, i * i);
        }
    }

    private void large() {
        for (int i = 0; i < size / MAX_VALUE; i++) {
            keep(i, MAX_VALUE - i);
        }
    }

    private void keep(int seed, int length) {
        byte[] value = Noise.bytes(seed, length);
        Checks.same("OK", jedis.set(key("value"), value));
        checks.cameBack(value, jedis.get(key("value")));
    }

    private static byte[] key(Object name) {
        return name.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** The answers arrive in the order of the commands, and each belongs to its command. */
    private void commands() {
        List<Response<byte[]>> answers = new ArrayList<>(COMMANDS);
        try (Pipeline pipeline = jedis.pipelined()) {
            for (int i = 0; i < COMMANDS; i++) {
                pipeline.set(key("numbered"), key(i));
                answers.add(pipeline.get(key("numbered")));
            }
            pipeline.sync();
        }
        for (int i = 0; i < COMMANDS; i++) {
            checks.cameBack(key(i), answers.get(i).get());
        }
    }

    private void messages() throws Exception {
        BlockingQueue<byte[]> arrived = new LinkedBlockingQueue<>();
        CountDownLatch subscribed = new CountDownLatch(1);
        BinaryJedisPubSub listener = new BinaryJedisPubSub() {
            @Override
            public void onSubscribe(byte[] channel, int count) {
                subscribed.countDown();
            }

            @Override
            public void onMessage(byte[] channel, byte[] message) {
                arrived.add(message);
            }
        };
        FutureTask<Void> subscriber = new FutureTask<>(
                () -> {
                    try (Jedis own = open()) {
                        own.subscribe(listener, CHANNEL);
                    }
                },
                null);
        Thread.ofPlatform().daemon().start(subscriber);
        subscribed.await();
        for (int i = 0; i < MESSAGES; i++) {
            Checks.same(1L, jedis.publish(CHANNEL, Noise.bytes(i, 1 + i % VALUES)));
            checks.cameBack(Noise.bytes(i, 1 + i % VALUES), arrived.take());
        }
        listener.unsubscribe();
        subscriber.get();
    }

    /** All connections of a pool are in use at once, each by a thread. */
    private void pool() throws Exception {
        ConnectionPoolConfig limits = new ConnectionPoolConfig();
        limits.setMaxTotal(CONNECTIONS);
        List<Future<?>> all = new ArrayList<>();
        try (RedisClient pool = RedisClient.builder()
                .hostAndPort(server)
                .clientConfig(config)
                .poolConfig(limits)
                .build()) {
            List<Jedis> held = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                held.add(new Jedis(pool.getPool().getResource()));
            }
            for (int i = 0; i < CONNECTIONS; i++) {
                int number = i;
                FutureTask<Void> task = new FutureTask<>(() -> use(held.get(number), number), null);
                Thread.ofPlatform().daemon().start(task);
                all.add(task);
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    private void use(Jedis by, int number) {
        for (int i = 0; i < CONNECTIONS; i++) {
            byte[] value = Noise.bytes(i, number * i);
            Checks.same("OK", by.set(key("own" + number), value));
            checks.cameBack(value, by.get(key("own" + number)));
        }
        by.close();
    }

    /** Reads, one after the other: nothing but a round trip. */
    private void measure() throws Exception {
        byte[] value = Noise.bytes(1, MEASURED_LENGTH);
        jedis.set(key("measured"), value);
        Checks.Check read = () -> checks.cameBack(value, jedis.get(key("measured")));
        Figures.warmUp(read);
        Figures figures = new Figures();
        figures.printOperations(figures.repeatOften(read));
        figures.printDelay();
    }
}
