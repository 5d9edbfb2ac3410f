// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.topic.ITopic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/**
 * Works with a map and a topic of a cluster: takes the arguments of {@link HazelcastEnds}, and the {@code size} of the
 * data; with {@code measure} it only measures.
 */
final class HazelcastLoad {
    private static final int MAX_VALUE = 4 << 20;
    private static final int KEYS = 4;
    private static final int VALUES = 300;
    private static final int PUTS = 20_000;
    private static final int ON_THEIR_WAY = 500;
    private static final int THREADS = 4;
    private static final int COUNTS = 300;
    private static final int MESSAGES = 5000;
    private static final int MEASURED_LENGTH = 100;

    private final HazelcastInstance client;
    private final long size;
    private final Checks checks;

    private HazelcastLoad(Arguments arguments, Checks checks) {
        client = HazelcastEnds.connect(arguments);
        size = arguments.size("size");
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        HazelcastEnds.warnOfNothing();
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        HazelcastLoad load = new HazelcastLoad(arguments, checks);
        if (arguments.has("measure")) {
            checks.run("measure", load::measure);
        } else {
            checks.run("values of all sizes", load::values);
            checks.run("large values", load::large);
            checks.run("puts that are not waited for", load::puts);
            checks.run("counting together", load::counting);
            checks.run("messages to listeners", load::messages);
        }
        load.client.shutdown();
        checks.end();
    }

    private void values() throws Exception {
        IMap<Integer, byte[]> map = client.getMap("values");
        for (int i = 0; i < VALUES; i++) {
            keep(map, i, i, i * i);
        }
    }

    private void large() throws Exception {
        IMap<Integer, byte[]> map = client.getMap("large");
        for (int i = 0; i < size / MAX_VALUE; i++) {
            keep(map, i % KEYS, i, MAX_VALUE - i);
        }
        map.destroy();
    }

    private void keep(IMap<Integer, byte[]> map, int key, int seed, int length) throws Exception {
        byte[] value = Noise.bytes(seed, length);
        map.set(key, value);
        same(value, map.get(key));
        checks.sent(length);
    }

    private void same(byte[] expected, byte[] received) {
        if (!Arrays.equals(expected, received)) {
            throw new AssertionError("a value of " + expected.length + " bytes came back changed");
        }
        checks.received(expected.length);
    }

    private void puts() throws Exception {
        IMap<Integer, byte[]> map = client.getMap("puts");
        Semaphore room = new Semaphore(ON_THEIR_WAY);
        for (int i = 0; i < PUTS; i++) {
            room.acquire();
            byte[] value = Noise.bytes(i, i % VALUES);
            map.setAsync(i, value).thenRunAsync(room::release, Runnable::run);
            checks.sent(value.length);
        }
        room.acquire(ON_THEIR_WAY);
        Checks.same(PUTS, map.size());
        for (int i = 0; i < PUTS; i += VALUES - 1) {
            same(Noise.bytes(i, i % VALUES), map.get(i));
        }
    }

    /** Threads that all replace one number by the next. */
    private void counting() throws Exception {
        IMap<String, Integer> map = client.getMap("counting");
        map.set("it", 0);
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            FutureTask<Void> task = new FutureTask<>(() -> count(map), null);
            tasks.add(task);
            Thread.ofPlatform().daemon().start(task);
        }
        for (FutureTask<Void> task : tasks) {
            task.get();
        }
        Checks.same(THREADS * COUNTS, map.get("it"));
    }

    private static void count(IMap<String, Integer> map) {
        for (int i = 0; i < COUNTS; i++) {
            int now = map.get("it");
            while (!map.replace("it", now, now + 1)) {
                now = map.get("it");
            }
        }
    }

    private void messages() throws Exception {
        ITopic<byte[]> topic = client.getTopic("news");
        BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
        topic.addMessageListener(message -> received.add(message.getMessageObject()));
        for (int i = 0; i < MESSAGES; i++) {
            byte[] message = Noise.bytes(i, i % VALUES);
            topic.publish(message);
            checks.sent(message.length);
        }
        for (int i = 0; i < MESSAGES; i++) {
            same(Noise.bytes(i, i % VALUES), received.take());
        }
    }

    /** Reads, one after the other: nothing but a round trip. */
    private void measure() throws Exception {
        IMap<Integer, byte[]> map = client.getMap("measured");
        byte[] value = Noise.bytes(1, MEASURED_LENGTH);
        map.set(0, value);
        Figures.warmUp(() -> same(value, map.get(0)));
        Figures figures = new Figures();
        figures.printOperations(figures.repeatOften(() -> same(value, map.get(0))));
        figures.printDelay();
    }
}
