// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** The host's side of one queue of the kernel copy_lane, with memory to copy. Used by one thread. */
final class TestLane {
    static final int SHIFT = 3;
    static final long LAUNCH = 77;
    static final int BLOCK = 4096;
    private static final int SIZE = 1 << SHIFT;
    private static final long ENTRIES = 0;
    private static final long DONE = 32L * SIZE;
    private static final long CONTROL = DONE + 8L * SIZE;
    private static final long ENDED = CONTROL + 128;
    private static final long FOREVER = TimeUnit.DAYS.toNanos(1);
    private static final VarHandle WORD = Foreign.handle(JAVA_LONG);

    private final TestCudaFixture fixture;
    final MemorySegment queue;
    final MemorySegment source;
    final MemorySegment destination;
    final long stream;
    long idle = FOREVER;
    long turn = FOREVER;
    int threads = 256;
    private final long function;
    private long position;

    /** All of its memory is registered. */
    TestLane(TestCudaFixture fixture) {
        this.fixture = fixture;
        queue = fixture.registered(4096);
        source = fixture.registered(BLOCK);
        destination = fixture.registered(BLOCK);
        stream = fixture.stream();
        function = fixture.function();
        for (int i = 0; i < BLOCK; i++) {
            source.set(JAVA_BYTE, i, (byte) (i * 7));
        }
    }

    private MemorySegment word(long value) {
        return fixture.longs(value);
    }

    private MemorySegment half(int value) {
        return Foreign.ints(fixture.arena, value);
    }

    /** Launches the kernel at the position of the next entry, and gives the result. */
    int launch() {
        MemorySegment parameters = fixture.pointers(
                word(queue.address() + ENTRIES),
                word(queue.address() + DONE),
                word(queue.address() + CONTROL),
                word(position),
                word(LAUNCH),
                half(SHIFT),
                word(idle),
                word(turn),
                half(64),
                half(10_000));
        return fixture.call(
                "cuLaunchKernel", function, 1, 1, 1, threads, 1, 1, 0, stream, parameters, MemorySegment.NULL);
    }

    /** Submits a copy of that many bytes at the same place of source and destination. */
    void submit(long at, long length) {
        submit(source.address() + at, destination.address() + at, length);
    }

    void submit(long from, long to, long length) {
        long entry = ENTRIES + 32 * (position % SIZE);
        long stamp = ((position >> SHIFT) + 1) & 0xFFFF;
        WORD.setRelease(queue, entry, from << 16 | stamp);
        WORD.setRelease(queue, entry + 8, to << 16 | stamp);
        WORD.setRelease(queue, entry + 16, length << 16 | stamp);
        position++;
    }

    /** Lets the next launch begin with the first entry. */
    void rewind() {
        position = 0;
    }

    /** Whether the copy of a position is complete. */
    boolean isDone(long at) {
        return (long) WORD.getAcquire(queue, DONE + 8 * (at % SIZE)) == at + 1;
    }

    void awaitDone(long at) {
        Awaitility.await().until(() -> isDone(at));
    }

    void stop() {
        WORD.setRelease(queue, CONTROL, LAUNCH);
    }

    /** Whether the kernel has said that it ended. */
    boolean isEnded() {
        return (long) WORD.getAcquire(queue, ENDED) == LAUNCH;
    }

    void awaitEnd() {
        Awaitility.await().until(this::isEnded);
    }

    void assertCopied(long at, long length) {
        assertEquals(-1, MemorySegment.mismatch(source, at, at + length, destination, at, at + length));
    }
}
