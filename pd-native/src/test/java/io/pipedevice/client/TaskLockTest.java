// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TaskLockTest {
    private final TaskLock lock = new TaskLock();
    private final List<String> done = new ArrayList<>();

    @Test
    void aTaskRunsAtOnceUnderAFreeLock() {
        lock.run(() -> done.add("held " + lock.isHeldByCurrentThread()));
        assertEquals(List.of("held true"), done);
        assertFalse(lock.isHeldByCurrentThread());
    }

    @Test
    void theHolderRunsItAtOnce() {
        lock.lock();
        lock.run(() -> done.add("task"));
        done.add("unlock");
        lock.unlock();
        assertEquals(List.of("task", "unlock"), done);
    }

    @Test
    void aTaskOfAnotherThreadIsRunByTheHolderAfterItsLastUnlock() throws InterruptedException {
        AtomicReference<Thread> runner = new AtomicReference<>();
        lock.lock();
        lock.lock();
        Thread other = Thread.ofPlatform().start(() -> lock.run(() -> runner.set(Thread.currentThread())));
        // It does not wait for the lock.
        other.join();
        lock.unlock();
        assertEquals(null, runner.get());
        lock.unlock();
        assertSame(Thread.currentThread(), runner.get());
        assertFalse(lock.isHeldByCurrentThread());
    }

    @Test
    void tasksKeepTheirOrderAndMayLeaveOthers() throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        Thread holder = Thread.ofPlatform().start(() -> {
            lock.lock();
            held.countDown();
            try {
                left.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            lock.unlock();
        });
        held.await();
        lock.run(() -> {
            done.add("first");
            lock.run(() -> done.add("of the first"));
        });
        lock.run(() -> done.add("second"));
        assertTrue(done.isEmpty());
        left.countDown();
        holder.join();
        assertEquals(List.of("first", "of the first", "second"), done);
    }
}
