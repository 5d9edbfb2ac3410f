// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FutexTest {
    private static final long OFFSET = 176;

    @TempDir
    Path directory;

    private final Arena arena = Arena.ofShared();
    private MemorySegment written;
    private MemorySegment read;

    @BeforeEach
    void map() throws IOException {
        try (FileChannel file = FileChannel.open(
                directory.resolve("memory"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            written = file.map(MapMode.READ_WRITE, 0, 4096, arena);
            read = file.map(MapMode.READ_ONLY, 0, 4096, arena);
        }
    }

    @AfterEach
    void unmap() {
        arena.close();
    }

    @Test
    void aThreadThatSleepsOnReadOnlyMemoryIsWokenThroughAnotherMapping() throws Exception {
        FutureTask<Boolean> sleeping = new FutureTask<>(() -> {
            while (read.get(ValueLayout.JAVA_INT, OFFSET) == 0) {
                Futex.await(read, OFFSET, 0, Long.MAX_VALUE);
            }
            return true;
        });
        Thread.ofPlatform().start(sleeping);
        Awaitility.await().until(() -> Futex.wake(written, OFFSET));
        assertFalse(sleeping.isDone());
        written.set(ValueLayout.JAVA_INT, OFFSET, 1);
        Futex.wake(written, OFFSET);
        assertTrue(sleeping.get());
    }

    @Test
    void aThreadIsWokenThroughReadOnlyMemory() throws Exception {
        FutureTask<Boolean> sleeping = new FutureTask<>(() -> {
            Futex.await(read, OFFSET, 0, TimeUnit.MINUTES.toNanos(10));
            return true;
        });
        Thread.ofPlatform().start(sleeping);
        Awaitility.await().until(() -> Futex.wake(read, OFFSET));
        assertTrue(sleeping.get());
    }

    @Test
    void aThreadDoesNotSleepAtAnotherValue() throws Exception {
        Futex.await(read, OFFSET, 1, Long.MAX_VALUE);
        assertFalse(Futex.wake(written, OFFSET));
    }

    @Test
    void aSleepEndsAfterItsTime() throws Exception {
        long start = System.nanoTime();
        long most = TimeUnit.MILLISECONDS.toNanos(20);
        while (System.nanoTime() - start < most) {
            Futex.await(read, OFFSET, 0, most);
        }
        assertFalse(Futex.wake(written, OFFSET));
    }
}
