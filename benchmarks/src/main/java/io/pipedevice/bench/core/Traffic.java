// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * One end's work on one connection, on a thread of its own. The client sends until it receives the stop command, then
 * ends the connection; the server receives until that end.
 */
final class Traffic {
    private static final long MAX_LATENCY_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;

    /** A step that fails with the connection. */
    private interface Job {
        void run() throws IOException;
    }

    /** Learns of the end of a traffic, on its thread. */
    interface Outcome {
        /** The connection has ended as it should. */
        void done(Traffic traffic);

        /** The connection failed. */
        void failed(Throwable cause);
    }

    /** Waits for a client. */
    interface Acceptance {
        /** The connection with it. */
        Peer.Connection accept() throws IOException;
    }

    private final Phase phase;
    private final int size;
    private final Outcome outcome;
    private final Payload payload;
    private final Histogram latencies = new Histogram(MAX_LATENCY_NS, DIGITS);

    /** Written by the traffic's thread, read by the thread that takes snapshots. */
    private final AtomicLong bytes = new AtomicLong();

    private volatile boolean stopping;
    private volatile boolean measuring;
    private Thread thread;

    /** Belongs to the traffic's thread. */
    private long sum;

    Traffic(Phase phase, int size, Outcome outcome) {
        this.phase = phase;
        this.size = size;
        this.outcome = outcome;
        this.payload = phase == Phase.TOUCHED ? new Payload() : null;
    }

    /** Serves one client. */
    void serve(Acceptance acceptance) {
        start(() -> {
            try (Peer.Connection connection = acceptance.accept()) {
                if (phase == Phase.PING_PONG) {
                    echo(connection);
                } else {
                    receive(connection);
                    sum = payload == null ? 0 : payload.sum();
                }
            }
        });
    }

    /** Runs the client. */
    void drive(Peer.Connection connection) {
        start(() -> {
            try (connection) {
                if (phase == Phase.PING_PONG) {
                    pingPong(connection);
                } else {
                    send(connection);
                    sum = payload == null ? 0 : Payload.sumOf(bytes());
                }
            }
        });
    }

    void measure() {
        measuring = true;
    }

    void stop() {
        stopping = true;
    }

    long bytes() {
        return bytes.getOpaque();
    }

    long threadId() {
        return thread.threadId();
    }

    /** The sum of the words that the client wrote or the server read, for {@link Outcome#done}; 0 if none did. */
    long sum() {
        return sum;
    }

    /** The round trips, for {@link Outcome#done}. */
    Histogram latencies() {
        return latencies;
    }

    private void start(Job job) {
        thread = new Thread(() -> run(job), "traffic");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Job job) {
        try {
            job.run();
        } catch (IOException | RuntimeException | Error e) {
            // Also an error: without an answer the benchmark waits for this process in vain.
            outcome.failed(e);
            return;
        }
        outcome.done(this);
    }

    private void send(Peer.Connection connection) throws IOException {
        long sent = 0;
        while (!stopping) {
            connection.send(payload);
            sent += size;
            bytes.setOpaque(sent);
        }
    }

    private void receive(Peer.Connection connection) throws IOException {
        long received = 0;
        for (int length = connection.receive(payload); length >= 0; length = connection.receive(payload)) {
            received += length;
            bytes.setOpaque(received);
        }
    }

    /**
     * Sends each message after the previous one is back, so that a late message is not missing from the measurements
     * (coordinated omission). A round trip counts if any part of it lies in the measurement: one that takes longer than
     * the measurement is its only figure.
     */
    private void pingPong(Peer.Connection connection) throws IOException {
        long sent = 0;
        while (!stopping || (measuring && latencies.getTotalCount() == 0)) {
            long start = System.nanoTime();
            connection.send(null);
            if (!connection.receiveMessage()) {
                throw new IOException("the server ended the connection");
            }
            if (measuring) {
                latencies.recordValue(Math.min(System.nanoTime() - start, MAX_LATENCY_NS));
            }
            sent += size;
            bytes.setOpaque(sent);
        }
    }

    private void echo(Peer.Connection connection) throws IOException {
        long received = 0;
        while (connection.echo()) {
            received += size;
            bytes.setOpaque(received);
        }
    }
}
