// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * The progress of a job, and its commands. The job's thread counts and records; the thread that takes commands does the
 * rest.
 */
final class Progress {
    private static final long MAX_LATENCY_NS = 60_000_000_000L;
    private static final int DIGITS = 3;

    /** Belongs to the job's thread until it has ended. */
    private final Histogram latencies = new Histogram(MAX_LATENCY_NS, DIGITS);

    /** Written by the job's thread. */
    private final AtomicLong count = new AtomicLong();

    private volatile boolean measuring;
    private volatile boolean checking;
    private volatile boolean stopping;

    /** Sets the amount so far: bytes of a stream, round trips, or connections. */
    void count(long soFar) {
        count.setOpaque(soFar);
    }

    long count() {
        return count.getOpaque();
    }

    void latency(long nanos) {
        if (measuring) {
            latencies.recordValue(Math.min(nanos, MAX_LATENCY_NS));
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

    String encodedLatencies() {
        ByteBuffer buffer = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
        int length = latencies.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
