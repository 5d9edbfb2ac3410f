// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A reentrant lock that a thread may hold while it waits for another process. A thread that must not wait for that
 * leaves a task, which the holder runs when it has unlocked. Thread safe.
 */
final class TaskLock {
    private final ReentrantLock lock = new ReentrantLock();

    /** Run under the lock, by the next thread that unlocks. */
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    void lock() {
        lock.lock();
    }

    boolean tryLock() {
        return lock.tryLock();
    }

    /** Unlocks, and then runs the tasks that were left meanwhile. */
    void unlock() {
        lock.unlock();
        runTasks();
    }

    boolean isHeldByCurrentThread() {
        return lock.isHeldByCurrentThread();
    }

    /**
     * Runs a task under the lock: now if no other thread holds it, else by the thread that holds it, when that unlocks.
     *
     * @param task does not throw; while it waits, the thread that runs it does
     */
    void run(Runnable task) {
        if (lock.isHeldByCurrentThread()) {
            task.run();
            return;
        }
        tasks.add(task);
        runTasks();
    }

    /** A task that is left while another thread has the lock is seen by that thread after its unlock. */
    private void runTasks() {
        while (!tasks.isEmpty() && !lock.isHeldByCurrentThread() && lock.tryLock()) {
            try {
                for (Runnable each = tasks.poll(); each != null; each = tasks.poll()) {
                    each.run();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
