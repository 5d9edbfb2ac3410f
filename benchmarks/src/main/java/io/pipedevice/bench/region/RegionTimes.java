// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.region;

import io.pipedevice.active.Completion;
import io.pipedevice.active.QueuePair;
import io.pipedevice.active.Region;
import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteRegion;
import io.pipedevice.active.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Measures operations on the helper's region, on one thread. */
final class RegionTimes implements AutoCloseable {
    /** Size of the region, and of the buffer. */
    static final int SIZE = 1 << 20;

    private static final int MAX_NS = 1_000_000_000;
    private static final int DIGITS = 3;

    /** What is measured. */
    enum Kind {
        READ,
        WRITE,
        GET,
        SWAP,
        ADD
    }

    /** An operation. */
    enum Operation {
        READ_8("READ 8 B", Kind.READ, 8),
        READ_64("READ 64 B", Kind.READ, 64),
        READ_4K("READ 4 KB", Kind.READ, 4096),
        WRITE_8("WRITE 8 B", Kind.WRITE, 8),
        WRITE_64("WRITE 64 B", Kind.WRITE, 64),
        WRITE_4K("WRITE 4 KB", Kind.WRITE, 4096),
        GET("read of a word", Kind.GET, 8),
        SWAP("compare and swap", Kind.SWAP, 8),
        ADD("fetch and add", Kind.ADD, 8);

        final String label;
        final Kind kind;
        final int length;

        Operation(String label, Kind kind, int length) {
            this.label = label;
            this.kind = kind;
            this.length = length;
        }
    }

    private final Regions regions;
    private final RemoteRegion remote;
    private final Region buffer;
    private final Completion completion = new Completion();

    RegionTimes(Regions regions) throws IOException {
        this.regions = regions;
        this.remote = regions.find(RegionHelper.NAME);
        this.buffer = regions.register(SIZE);
    }

    private boolean post(QueuePair queue, Operation operation, long id) {
        return switch (operation.kind) {
            case READ -> queue.read(id, remote, 64, buffer, 64, operation.length);
            case WRITE -> queue.write(id, remote, 64, buffer, 64, operation.length);
            case GET -> queue.get(id, remote, 8);
            case SWAP -> queue.compareAndSwap(id, remote, 8, 0, 0);
            case ADD -> queue.fetchAndAdd(id, remote, 16, 1);
        };
    }

    private void take(QueuePair queue) throws IOException {
        if (!queue.await(completion, TimeUnit.SECONDS.toNanos(10)) || completion.status() != Status.OK) {
            throw new IOException("an operation failed: " + completion);
        }
    }

    private void poll(QueuePair queue) throws IOException {
        queue.flush();
        while (!queue.poll(completion)) {
            Thread.onSpinWait();
        }
        if (completion.status() != Status.OK) {
            throw new IOException("an operation failed: " + completion);
        }
    }

    /** Times of one operation after the other, each after a pause. */
    Histogram latency(Operation operation, double seconds, long pauseNs) throws IOException {
        Histogram histogram = new Histogram(MAX_NS, DIGITS);
        try (QueuePair queue = regions.queuePair()) {
            long end = System.nanoTime() + (long) (seconds * 1e9);
            for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
                if (pauseNs > 0) {
                    LockSupport.parkNanos(pauseNs);
                }
                long start = System.nanoTime();
                post(queue, operation, start);
                if (pauseNs == 0) {
                    poll(queue);
                } else {
                    take(queue);
                }
                histogram.recordValue(Math.min(MAX_NS, System.nanoTime() - start));
            }
        }
        return histogram;
    }

    /** Operations per second over several queue pairs, each with a number of outstanding ones, and their times. */
    double throughput(Operation operation, int pairs, int outstanding, double seconds, Histogram times)
            throws IOException {
        List<QueuePair> queues = new ArrayList<>();
        try {
            for (int i = 0; i < pairs; i++) {
                queues.add(regions.queuePair());
            }
            long start = System.nanoTime();
            long end = start + (long) (seconds * 1e9);
            long done = 0;
            for (QueuePair queue : queues) {
                fill(queue, operation, outstanding);
            }
            while (System.nanoTime() < end) {
                for (QueuePair queue : queues) {
                    take(queue);
                    times.recordValue(Math.min(MAX_NS, System.nanoTime() - completion.id()));
                    done++;
                    while (queue.poll(completion)) {
                        times.recordValue(Math.min(MAX_NS, System.nanoTime() - completion.id()));
                        done++;
                    }
                    fill(queue, operation, outstanding);
                }
            }
            return done / ((System.nanoTime() - start) / 1e9);
        } finally {
            queues.forEach(QueuePair::close);
        }
    }

    private void fill(QueuePair queue, Operation operation, int outstanding) throws IOException {
        boolean posted = true;
        while (posted && queue.outstanding() < outstanding) {
            posted = post(queue, operation, System.nanoTime());
        }
        queue.flush();
    }

    /** Bytes per second of copies of 64 KB. */
    double rate(double seconds) throws IOException {
        try (QueuePair queue = regions.queuePair()) {
            int length = 64 << 10;
            for (int i = 0; i < 4; i++) {
                queue.write(0, remote, 0, buffer, 0, length);
            }
            queue.flush();
            long start = System.nanoTime();
            long end = start + (long) (seconds * 1e9);
            long done = 0;
            while (System.nanoTime() < end) {
                take(queue);
                done += length;
                queue.write(0, remote, 0, buffer, 0, length);
                queue.flush();
            }
            return done / ((System.nanoTime() - start) / 1e9);
        }
    }

    @Override
    public void close() {
        buffer.close();
        remote.close();
    }
}
