// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Control;

/**
 * The effect of huge pages on a stream: messages per millisecond through a plain ring in shared memory, with one copy
 * in and one copy out, in pages of 4 KB and of 2 MB. Of the two threads, only the sender's figure matters. It needs
 * three free huge pages ({@code sysctl vm.nr_hugepages=3}).
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RingPagesBenchmark {
    private static final int REGION_LENGTH = 4 << 20;

    /** Creates the benchmark; JMH does. */
    public RingPagesBenchmark() {}

    /** A ring and a message. */
    @State(Scope.Group)
    public static class Ring {
        /** Size of a page, in bytes. */
        @Param({"4096", "2097152"})
        public long page;

        /** Size of the ring, in bytes. */
        @Param({"1048576", "4194304"})
        public int ring;

        /** Size of a message, in bytes. */
        @Param({"16384", "262144"})
        public int size;

        private final AtomicLong tail = new AtomicLong();
        private final AtomicLong head = new AtomicLong();
        private SharedRegion region;
        private ByteBuffer bytes;
        private ByteBuffer message;
        private ByteBuffer target;

        /** Creates the state; JMH does. */
        public Ring() {}

        /**
         * Maps the ring.
         *
         * @throws IOException if it cannot be mapped
         */
        @Setup(Level.Trial)
        public void open() throws IOException {
            region = SharedRegion.create("pd-bench", REGION_LENGTH, page != 4096);
            if (region.pageSize().bytes() != page) {
                region.close();
                throw new IOException("no huge page is free: sysctl vm.nr_hugepages=3");
            }
            bytes = region.memory().asByteBuffer();
            message = ByteBuffer.allocateDirect(size);
            target = ByteBuffer.allocateDirect(size);
        }

        /** Unmaps the ring. */
        @TearDown(Level.Trial)
        public void close() {
            region.close();
        }

        private boolean send() {
            long at = tail.getPlain();
            if (at - head.getAcquire() > ring - size) {
                return false;
            }
            bytes.put((int) at & ring - 1, message, 0, size);
            tail.setRelease(at + size);
            return true;
        }

        private boolean receive() {
            long at = head.getPlain();
            if (tail.getAcquire() == at) {
                return false;
            }
            target.put(0, bytes, (int) at & ring - 1, size);
            head.setRelease(at + size);
            return true;
        }
    }

    /**
     * Sends a message.
     *
     * @param ring the ring
     * @param control tells when to stop waiting for room
     */
    @Benchmark
    @Group("ring")
    public void send(Ring ring, Control control) {
        while (!ring.send() && !control.stopMeasurement) {
            Thread.onSpinWait();
        }
    }

    /**
     * Receives a message.
     *
     * @param ring the ring
     * @param control tells when to stop waiting for a message
     */
    @Benchmark
    @Group("ring")
    public void receive(Ring ring, Control control) {
        while (!ring.receive() && !control.stopMeasurement) {
            Thread.onSpinWait();
        }
    }
}
