// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class DisposalTest {
    private int mostThreads;
    private int created;

    private Thread create(Runnable task) {
        if (created == mostThreads) {
            throw new InternalError("no thread can be created, as a test plays");
        }
        created++;
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    @Test
    void theCallerClosesWhenThereIsNoThreadAndNoneCanBeCreated() {
        try (Disposal disposal = new Disposal(this::create)) {
            AtomicReference<Thread> closer = new AtomicReference<>();
            AtomicInteger afterwards = new AtomicInteger();
            disposal.close(() -> closer.set(Thread.currentThread()), afterwards::incrementAndGet);
            assertSame(Thread.currentThread(), closer.get());
            assertEquals(1, afterwards.get());
        }
    }

    @Test
    void aThreadThatThereIsClosesWhenNoOtherCanBeCreated() throws InterruptedException {
        mostThreads = 1;
        try (Disposal disposal = new Disposal(this::create)) {
            CountDownLatch busy = new CountDownLatch(1);
            AtomicReference<Thread> first = new AtomicReference<>();
            AtomicReference<Thread> closer = new AtomicReference<>();
            disposal.close(() -> {
                first.set(Thread.currentThread());
                busy.await();
            });
            disposal.close(() -> closer.set(Thread.currentThread()));
            assertNotSame(Thread.currentThread(), closer.get());
            busy.countDown();
            await().until(() -> closer.get() != null);
            assertSame(first.get(), closer.get());
        }
    }
}
