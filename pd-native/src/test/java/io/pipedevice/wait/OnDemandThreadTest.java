// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OnDemandThreadTest {
    private static final int ROUNDS = 2000;

    private final AtomicInteger work = new AtomicInteger();
    private final Semaphore done = new Semaphore(0);
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    private void workOnce() {
        threads.add(Thread.currentThread());
        work.decrementAndGet();
        done.release();
    }

    private boolean isOver() {
        return work.get() == 0;
    }

    @Test
    void aThreadEndsWhenThereIsNothingToDoAndAnotherOneFollows() throws InterruptedException {
        OnDemandThread thread = new OnDemandThread("on-demand", this::workOnce, this::isOver);
        thread.begin();
        assertEquals(Set.of(), threads);
        for (int i = 0; i < 2; i++) {
            work.set(3);
            thread.begin();
            done.acquire(3);
            for (Thread each : threads) {
                each.join();
                assertEquals("on-demand", each.getName());
            }
        }
        assertEquals(2, threads.size());
    }

    @Test
    void nothingIsLeftUndoneWhateverTheMomentItBegins() throws InterruptedException {
        OnDemandThread thread = new OnDemandThread("on-demand", this::workOnce, this::isOver);
        for (int i = 0; i < ROUNDS; i++) {
            work.incrementAndGet();
            thread.begin();
            done.acquire();
        }
        assertEquals(0, work.get());
    }

    @Test
    void aThreadThatWaitsIsWokenAndOneThatFailedIsReplaced() throws InterruptedException {
        Semaphore waits = new Semaphore(0);
        AtomicBoolean goesOn = new AtomicBoolean();
        OnDemandThread thread = new OnDemandThread(
                "on-demand",
                () -> {
                    threads.add(Thread.currentThread());
                    waits.release();
                    while (!goesOn.get()) {
                        LockSupport.park();
                    }
                    Thread.currentThread().setUncaughtExceptionHandler((failed, why) -> done.release());
                    throw new IllegalStateException("on purpose");
                },
                () -> false);
        for (int i = 0; i < 2; i++) {
            goesOn.set(false);
            thread.begin();
            waits.acquire();
            goesOn.set(true);
            thread.begin();
            done.acquire();
            for (Thread each : threads) {
                each.join();
                assertFalse(each.isAlive());
            }
        }
        assertEquals(2, threads.size());
    }
}
