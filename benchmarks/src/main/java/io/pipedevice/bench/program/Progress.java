// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * The progress of a job, and its commands. The job's thread counts and records; the thread that takes commands does the
 * rest.
 */
final class Progress {
    private static final long MAX_LATENCY_NS = 60_000_000_000L;
    private static final int DIGITS = 3;

    /** Belongs to the job's thread until it has ended; several threads take turns by a lock of their job. */
    private final Histogram latencies = new Histogram(MAX_LATENCY_NS, DIGITS);

    /** The same of the calls that connect. */
    private final Histogram connects = new Histogram(MAX_LATENCY_NS, DIGITS);

    /** Written by the job's thread. */
    private final AtomicLong count = new AtomicLong();

    /** Parts of the count, each written by one thread. */
    private final List<AtomicLong> shares = new CopyOnWriteArrayList<>();

    private volatile boolean measuring;
    private volatile boolean checking;
    private volatile boolean stopping;

    /** Sets the amount so far: bytes of a stream, round trips, or connections. */
    void count(long soFar) {
        count.setOpaque(soFar);
    }

    /** A new part of the amount, for one thread to set. */
    AtomicLong share() {
        AtomicLong share = new AtomicLong();
        shares.add(share);
        return share;
    }

    /** The parts so far, in the order of their creation. */
    long[] shares() {
        return shares.stream().mapToLong(AtomicLong::getOpaque).toArray();
    }

    long count() {
        return count.getOpaque() + Arrays.stream(shares()).sum();
    }

    void latency(long nanos) {
        if (measuring) {
            latencies.recordValue(Math.min(nanos, MAX_LATENCY_NS));
        }
    }

    void connectLatency(long nanos) {
        if (measuring) {
            connects.recordValue(Math.min(nanos, MAX_LATENCY_NS));
        }
    }

    void measure() {
        measuring = true;
    }

    /** Begins to compare every byte. */
    void check() {
        measuring = false;
        checking = true;
    }

    boolean isChecking() {
        return checking;
    }

    void stop() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    /** The latencies, and those of connecting, as two words. */
    String encodedLatencies() {
        return encoded(latencies) + " " + encoded(connects);
    }

    private static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
