// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import io.pipedevice.lib.PdConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * An honest process that measures the round trip of its messages, and the time of a new connection with one message. It
 * prints READY, and reads commands: {@code again} opens everything anew, and the answer is AGAIN; the answer to
 * {@code report} is a line for each phase, and REPORTED; any other command is the name of the phase to which later
 * measurements belong. It prints FAILED if it fails, and ends.
 */
public final class Bystander {
    /** The phase in which nothing is measured. */
    static final String NONE = "none";

    /** The phase in which nothing is done, so that resources can be counted. */
    static final String REST = "rest";

    private static final long MOST_PAUSE_NS = 500_000;
    private static final long BETWEEN_CONNECTIONS_NS = 20_000_000;

    /** How often the other services are used before the other side's resources are counted. */
    private static final int FIRST_SERVICES = 20;

    private static final long MOST_NS = TimeUnit.MINUTES.toNanos(1);

    private final Opener opener;
    private final Side side;
    private final long seed;

    /** Guarded by its own monitor. */
    private final Map<String, Histogram> measured = new TreeMap<>();

    private volatile String phase = NONE;

    /** By the thread of services. */
    private volatile String served = "";

    /** Makes connections whose other ends send everything back. */
    public interface Side extends AutoCloseable {
        PdConnection connect() throws IOException;

        /**
         * Uses each of the other services once, and checks all bytes. One thread calls this.
         *
         * @return what was used so far, for a person
         */
        String serve() throws IOException;

        /**
         * Whether the other side has all that it keeps for these services. On a busy machine a connection may stay on
         * the kernel, for which the other side keeps less.
         */
        default boolean isSettled() {
            return true;
        }

        @Override
        void close();
    }

    /** Opens another side, which shares nothing with earlier ones. */
    public interface Opener {
        Side open() throws IOException;
    }

    /** Creates a bystander whose random numbers have a seed. */
    public Bystander(Opener opener, long seed) throws IOException {
        this.opener = opener;
        this.side = opener.open();
        this.seed = seed;
    }

    /** The other end: sends everything back until the stream ends. */
    public static void echo(PdConnection connection) throws IOException {
        PingPong.echo(connection);
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void fail(Throwable e) {
        e.printStackTrace(System.out);
        System.out.println("FAILED " + e);
        Runtime.getRuntime().halt(1);
    }

    private static void start(String name, Work work) {
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                fail(e);
            }
        });
    }

    /** Reads commands until the end of the input, which ends the process. */
    public void run() throws IOException {
        PingPong messages = new PingPong(side.connect(), seed);
        messages.once();
        overlap();
        for (int i = 0; i < FIRST_SERVICES || !side.isSettled(); i++) {
            served = side.serve();
        }
        start("messages", () -> exchange(messages));
        start("services", this::serve);
        start("connections", this::connect);
        System.out.println("READY");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            switch (line) {
                case "again" -> again();
                case "report" -> report();
                default -> phase = line;
            }
        }
        Runtime.getRuntime().halt(0);
    }

    /**
     * Makes the other side allocate for two more connections at a time, and keep that, before its resources are
     * counted: a connection that was just closed and the next one can overlap at any time.
     */
    private void overlap() throws IOException {
        try (PdConnection one = side.connect();
                PdConnection other = side.connect()) {
            new PingPong(one, seed).once();
            new PingPong(other, seed).once();
        }
    }

    private void exchange(PingPong messages) throws IOException {
        Random random = new Random(seed);
        while (true) {
            String before = awaitWork();
            record(before, "message", messages.once());
            LockSupport.parkNanos(random.nextLong(MOST_PAUSE_NS));
        }
    }

    private void connect() throws IOException {
        while (true) {
            LockSupport.parkNanos(BETWEEN_CONNECTIONS_NS);
            String before = awaitWork();
            long begin = System.nanoTime();
            try (PdConnection connection = side.connect()) {
                new PingPong(connection, begin).once();
                record(before, "connection", System.nanoTime() - begin);
            }
        }
    }

    private void serve() throws IOException {
        while (true) {
            LockSupport.parkNanos(BETWEEN_CONNECTIONS_NS);
            String before = awaitWork();
            long begin = System.nanoTime();
            served = side.serve();
            record(before, "services", System.nanoTime() - begin);
        }
    }

    /** Waits while this process rests, and returns the phase. */
    private String awaitWork() {
        String now = phase;
        while (now.equals(REST)) {
            LockSupport.parkNanos(BETWEEN_CONNECTIONS_NS);
            now = phase;
        }
        return now;
    }

    /** Drops a measurement that began in one phase and ended in another. */
    private void record(String before, String what, long nanos) {
        if (!before.equals(phase) || before.equals(NONE)) {
            return;
        }
        synchronized (measured) {
            measured.computeIfAbsent(what + " " + before, name -> new Histogram(MOST_NS, 3))
                    .recordValue(Math.min(nanos, MOST_NS));
        }
    }

    private void again() {
        try (Side other = opener.open();
                PdConnection connection = other.connect()) {
            new PingPong(connection, seed).once();
            System.out.println("AGAIN");
        } catch (IOException | RuntimeException | AssertionError e) {
            fail(e);
        }
    }

    private void report() {
        synchronized (measured) {
            measured.forEach((name, histogram) -> System.out.println("MEASURED " + name + " "
                    + histogram.getTotalCount()
                    + " " + histogram.getValueAtPercentile(50) / 1000 + " " + histogram.getValueAtPercentile(99) / 1000
                    + " " + histogram.getValueAtPercentile(99.9) / 1000 + " " + histogram.getMaxValue() / 1000));
        }
        System.out.println("SERVED " + served);
        System.out.println("REPORTED");
    }
}
