// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.test.Together;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class DisposalTest {
    private int mostThreads;
    private int created;

    private Thread create(Runnable task) {
        if (created == mostThreads) {
            throw new InternalError("the test lets no thread be created");
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

    /** A factory that fails in half of all calls. */
    private static Thread createMaybe(Runnable task) {
        if (ThreadLocalRandom.current().nextBoolean()) {
            throw new InternalError("the test lets no thread be created");
        }
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    @Test
    void closingsOfSeveralThreadsRunOnceAndCallBack() throws Exception {
        int each = 2000;
        AtomicIntegerArray closed = new AtomicIntegerArray(Together.THREADS * each);
        CountDownLatch closes = new CountDownLatch(closed.length());
        for (int round = 0; round < closed.length(); round += Together.THREADS * 20) {
            int from = round;
            try (Disposal disposal = new Disposal(DisposalTest::createMaybe)) {
                Together.run(thread -> {
                    for (int i = from + thread * 20; i < from + thread * 20 + 20; i++) {
                        int stranger = i;
                        disposal.close(() -> closed.incrementAndGet(stranger), closes::countDown);
                    }
                });
            }
        }
        closes.await();
        for (int i = 0; i < closed.length(); i++) {
            assertEquals(1, closed.get(i), "stranger " + i);
        }
    }

    @Test
    void closingsThatBlockKeepNoOtherAccountWaiting() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        try (Disposal disposal = new Disposal()) {
            Disposal.Account blocked = disposal.account("one");
            for (int i = 0; i < 100; i++) {
                blocked.close(release::await);
            }
            CountDownLatch closed = new CountDownLatch(100);
            for (int i = 0; i < 100; i++) {
                disposal.account("another").close(closed::countDown);
            }
            closed.await();
            disposal.account("one").close(() -> {});
            await().until(() -> disposal.underWay() == 101);
            release.countDown();
            await().until(() -> disposal.underWay() == 0);
        }
    }

    @Test
    void anAccountAndAllTogetherHaveABound() {
        CountDownLatch release = new CountDownLatch(1);
        try (Disposal disposal = new Disposal(Thread::new, 64)) {
            assertFilledBy(32, disposal.account(1), release);
            assertFalse(disposal.isFull());
            assertFilledBy(32, disposal.account(2), release);
            assertTrue(disposal.isFull());
            // An account that was served before may go on, with a smaller limit.
            assertFilledBy(4, disposal.account(3), release);
            release.countDown();
            await().until(() -> disposal.underWay() == 0);
            assertFalse(disposal.isFull());
            assertFalse(disposal.account(1).isFull());
        } finally {
            release.countDown();
        }
    }

    private static void assertFilledBy(int count, Disposal.Account account, CountDownLatch release) {
        for (int i = 0; i < count; i++) {
            assertFalse(account.isFull());
            account.close(release::await);
        }
        assertTrue(account.isFull());
    }

    @Test
    void isFullWhileMostThreadsAreBlocked() {
        CountDownLatch release = new CountDownLatch(1);
        try (Disposal disposal = new Disposal(Thread::new, 4096)) {
            for (int i = 0; i < 48; i++) {
                disposal.account(i / Disposal.THREADS_OF_ONE).close(release::await);
            }
            assertFalse(disposal.account(0).isFull());
            await().until(disposal::isFull);
        } finally {
            release.countDown();
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
