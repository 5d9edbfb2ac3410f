// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.wait.TokenBucket;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendLimitTest {
    private static final int PIECE = 64 << 10;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private record Task(long atNs, Runnable run) {}

    private final PriorityQueue<Task> tasks = new PriorityQueue<>(Comparator.comparingLong(Task::atNs));
    private long nowNs = -5;
    private final SendLimit limit =
            new SendLimit(() -> nowNs, (nanos, task) -> tasks.add(new Task(nowNs + nanos, task)));

    /** An end that counts how often it was woken. */
    private static final class Sleeper implements RingLink.End {
        int woken;

        @Override
        public int slot() {
            return 0;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void wake() {
            woken++;
        }

        @Override
        public boolean release() {
            return false;
        }
    }

    private final Sleeper sleeper = new Sleeper();

    private void nextTask() {
        Task next = tasks.remove();
        nowNs = Math.max(nowNs, next.atNs);
        next.run.run();
    }

    private void useUp() {
        int taken;
        do {
            taken = limit.take(Integer.MAX_VALUE);
        } while (taken > 0);
    }

    /** Sends as a thread does that sleeps while it may not send, for that long. Returns the number of bytes. */
    private long sendFor(long nanos) {
        long endNs = nowNs + nanos;
        long sent = 0;
        while (nowNs < endNs) {
            int taken = limit.take(PIECE);
            sent += taken;
            if (taken == 0 && !limit.permits(sleeper)) {
                int before = sleeper.woken;
                while (sleeper.woken == before) {
                    nextTask();
                }
            }
        }
        return sent;
    }

    @ParameterizedTest
    @ValueSource(longs = {125_000, 1_250_000, 25_000_000, 125_000_000, 1_250_000_000, 5_000_000_000L})
    void theRateIsExact(long bytesPerSecond) {
        limit.rate(bytesPerSecond);
        long sent = sendFor(10 * SECOND_NS);
        assertEquals(1, sent / 10.0 / bytesPerSecond, 0.05);
    }

    @Test
    void severalSendersTogetherDoNotExceedTheRate() {
        limit.rate(1_000_000);
        long sent = 0;
        for (long endNs = nowNs + 10 * SECOND_NS; nowNs < endNs; nowNs += 100_000) {
            // More often than a byte's time, so that fractions count.
            sent += limit.take(1000) + limit.take(7);
        }
        assertEquals(1, sent / 10e6, 0.05);
    }

    @Test
    void afterALongPauseNoMoreThanABurstFollows() {
        limit.rate(25_000_000);
        nowNs += 100 * SECOND_NS;
        long all = 0;
        for (int taken = limit.take(PIECE); taken > 0; taken = limit.take(PIECE)) {
            all += taken;
        }
        assertEquals(TokenBucket.burst(25_000_000), all);
        assertEquals(25_000_000 / 20, all);
    }

    @Test
    void anEndThatWasDeniedIsWokenOnceWhenBytesAreThere() {
        limit.rate(25_000_000);
        useUp();
        assertEquals(0, limit.allowed(1));
        assertFalse(limit.permits(sleeper));
        assertFalse(limit.permits(sleeper));
        assertEquals(1, tasks.size());
        nextTask();
        assertEquals(1, sleeper.woken);
        assertTrue(limit.permits(sleeper));
        assertTrue(limit.allowed(PIECE) > 0);
        assertTrue(tasks.isEmpty());
    }

    @Test
    void aTimerThatIsEarlyRunsAgain() {
        limit.rate(25_000_000);
        useUp();
        assertFalse(limit.permits(sleeper));
        tasks.remove().run.run();
        assertEquals(0, sleeper.woken);
        nextTask();
        assertEquals(1, sleeper.woken);
    }

    @Test
    void anEndThatIsDeniedWhileTheOthersTokensLastIsWokenByTheNextTimer() {
        limit.rate(25_000_000);
        useUp();
        assertFalse(limit.permits(sleeper));
        nextTask();
        useUp();
        assertFalse(limit.permits(sleeper));
        nextTask();
        assertEquals(2, sleeper.woken);
    }

    @Test
    void anotherRateHoldsAtOnceAndWakesWhatWasDenied() {
        limit.rate(1);
        useUp();
        assertFalse(limit.permits(sleeper));
        limit.rate(25_000_000);
        assertEquals(1, sleeper.woken);
        assertTrue(limit.permits(sleeper));
        useUp();
        assertFalse(limit.permits(sleeper));
        limit.rate(0);
        assertEquals(2, sleeper.woken);
        assertEquals(Integer.MAX_VALUE, limit.take(Integer.MAX_VALUE));
        // The timers of the rates before wake nothing.
        while (!tasks.isEmpty()) {
            nextTask();
        }
        assertEquals(2, sleeper.woken);
    }

    @Test
    void aBlockIsSentAsAWholeAndPaidForAfterwards() {
        limit.rate(1_000_000);
        assertTrue(limit.takeAll(1_000_000));
        assertFalse(limit.takeAll(1));
        nowNs += SECOND_NS * 9 / 10;
        assertFalse(limit.takeAll(1));
        nowNs += SECOND_NS / 5;
        assertTrue(limit.takeAll(1));
    }

    @Test
    void aClosedEndIsNotWoken() {
        limit.rate(25_000_000);
        useUp();
        assertFalse(limit.permits(sleeper));
        limit.forget(sleeper);
        nextTask();
        assertEquals(0, sleeper.woken);
        assertTrue(tasks.isEmpty());
    }

    @Test
    void withoutALimitNeitherTheClockNorATimerIsUsed() {
        SendLimit free = new SendLimit(
                () -> {
                    throw new AssertionError("the clock");
                },
                (nanos, task) -> {
                    throw new AssertionError("a timer");
                });
        assertEquals(PIECE, free.allowed(PIECE));
        assertEquals(PIECE, free.take(PIECE));
        assertTrue(free.takeAll(PIECE));
        assertTrue(free.permits(sleeper));
        free.forget(sleeper);
    }

    @Test
    @Timeout(60)
    void noWakeUpIsLostBetweenThreads() throws InterruptedException {
        SendLimit shared = new SendLimit();
        shared.rate(40_000_000);
        AtomicLong sent = new AtomicLong();
        Thread[] threads = new Thread[4];
        long endNs = System.nanoTime() + SECOND_NS;
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                while (System.nanoTime() < endNs) {
                    CountDownLatch woken = new CountDownLatch(1);
                    RingLink.End end = new WokenEnd(woken);
                    int taken = shared.take(10_000);
                    sent.addAndGet(taken);
                    if (taken == 0 && !shared.permits(end)) {
                        awaitUninterruptibly(woken);
                    }
                }
            });
            threads[i].start();
        }
        for (Thread each : threads) {
            each.join();
        }
        assertTrue(sent.get() < 44_000_000 + TokenBucket.burst(40_000_000), () -> "sent " + sent);
    }

    private record WokenEnd(CountDownLatch woken) implements RingLink.End {
        @Override
        public int slot() {
            return 0;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void wake() {
            woken.countDown();
        }

        @Override
        public boolean release() {
            return false;
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
