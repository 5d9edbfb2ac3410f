// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.map.IMap;
import com.hazelcast.spi.exception.TargetDisconnectedException;
import com.hazelcast.topic.ITopic;
import com.hazelcast.topic.Message;
import com.hazelcast.topic.ReliableMessageListener;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Puts into a map and publishes without an end, while members come and go. For each input line it waits until some more
 * was acknowledged, and reports that. The line {@code stop} ends it, and then nothing that was acknowledged may be
 * lost.
 */
final class HazelcastSteady {
    private static final int WRITERS = 3;
    private static final int KEYS_OF_EACH = 3000;
    private static final int MORE = 500;

    /** Far less than a topic keeps for its listeners. */
    private static final int NOT_HEARD = 500;

    private final HazelcastInstance client;
    private final Checks checks;
    private final IMap<Integer, Integer> map;
    private final ITopic<Integer> topic;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** Puts and messages that are not reported yet; after a failure no thread waits for them. */
    private final Semaphore putNews = new Semaphore(0);

    private final Semaphore heardNews = new Semaphore(0);

    private final Listener listener = new Listener();

    private volatile boolean stopped;

    private HazelcastSteady(Arguments arguments, Checks checks) {
        client = HazelcastEnds.connect(arguments);
        this.checks = checks;
        map = client.getMap("steady");
        topic = client.getReliableTopic("steady");
    }

    public static void main(String[] args) throws Exception {
        HazelcastEnds.warnOfNothing();
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        HazelcastSteady steady = new HazelcastSteady(arguments, checks);
        steady.run();
        steady.client.shutdown();
        checks.end();
    }

    private void run() throws Exception {
        topic.addMessageListener(listener);
        List<Thread> threads = new ArrayList<>();
        List<int[]> written = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int first = i * KEYS_OF_EACH;
            int[] values = new int[KEYS_OF_EACH];
            written.add(values);
            threads.add(start("writer" + i, () -> write(first, values)));
        }
        threads.add(start("publisher", this::publish));
        Console.ready();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null && !line.equals("stop"); line = lines.readLine()) {
            putNews.drainPermits();
            heardNews.drainPermits();
            checks.run(line, () -> {
                putNews.acquire(MORE);
                heardNews.acquire(MORE);
                check();
            });
            System.out.println("PROGRESS " + line);
        }
        stopped = true;
        checks.run("nothing was lost", () -> {
            for (Thread thread : threads) {
                thread.join();
            }
            check();
            for (int i = 0; i < WRITERS; i++) {
                compare(i * KEYS_OF_EACH, written.get(i));
            }
        });
    }

    private Thread start(String name, Checks.Check work) {
        return Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                work.run();
            } catch (Exception | AssertionError e) {
                failed(e);
            }
        });
    }

    private void failed(Throwable why) {
        failure.compareAndSet(null, why);
        putNews.release(MORE);
        heardNews.release(MORE);
        listener.room.release(NOT_HEARD + 1);
    }

    private void check() {
        Throwable why = failure.get();
        if (why != null) {
            throw new AssertionError(why);
        }
    }

    private boolean goesOn() {
        return !stopped && failure.get() == null;
    }

    /** Puts rising numbers for each of some keys, which are its own. */
    private void write(int first, int[] values) {
        for (int i = 0; goesOn(); i++) {
            int key = i % KEYS_OF_EACH;
            int value = values[key] + 1;
            untilAcknowledged(() -> map.set(first + key, value));
            values[key] = value;
            checks.sent(Integer.BYTES);
            putNews.release();
        }
    }

    private void compare(int first, int[] values) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] > 0) {
                Checks.same(values[i], map.get(first + i));
                checks.received(Integer.BYTES);
            }
        }
    }

    private void publish() throws InterruptedException {
        int count = 0;
        for (; goesOn(); count++) {
            listener.room.acquire();
            int number = count;
            untilAcknowledged(() -> topic.publish(number));
        }
        listener.room.acquire(NOT_HEARD);
        listener.check(count);
    }

    /**
     * Repeats an operation that may have been done: the connection was lost before the answer, or the backup's
     * acknowledgement is missing.
     */
    private static void untilAcknowledged(Runnable work) {
        while (true) {
            try {
                work.run();
                return;
            } catch (HazelcastException e) {
                if (!(e instanceof TargetDisconnectedException || e instanceof IndeterminateOperationStateException)) {
                    throw e;
                }
            }
        }
    }

    /**
     * Receives every message at least once: a message that was published twice may arrive twice. State belongs to the
     * topic's thread.
     */
    private final class Listener implements ReliableMessageListener<Integer> {
        private final Semaphore room = new Semaphore(NOT_HEARD);
        private final BitSet received = new BitSet();
        private long sequence = -1;

        @Override
        public void onMessage(Message<Integer> message) {
            int number = message.getMessageObject();
            synchronized (received) {
                if (!received.get(number)) {
                    received.set(number);
                    room.release();
                    heardNews.release();
                    checks.received(Integer.BYTES);
                }
            }
        }

        void check(int count) {
            synchronized (received) {
                Checks.same(count, received.nextClearBit(0));
            }
        }

        @Override
        public long retrieveInitialSequence() {
            return sequence;
        }

        @Override
        public void storeSequence(long last) {
            sequence = last;
        }

        /**
         * A message that was received before it was acknowledged may be lost with its member, and Hazelcast then
         * silently ends any other listener. This listener reads the remaining messages again; {@link #check} detects
         * real loss.
         */
        @Override
        public boolean isLossTolerant() {
            return true;
        }

        @Override
        public boolean isTerminal(Throwable why) {
            failed(why);
            return true;
        }
    }
}
