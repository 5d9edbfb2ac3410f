// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A reentrant lock that its holder may hand off to another thread, which continues the holder's operation. No third
 * thread gets the lock in between.
 */
final class HandOffLock {
    private final Semaphore turn = new Semaphore(1);

    /** The holder, which writes this itself. Another thread may see an old holder, but never itself. */
    private Thread holder;

    /** How many times the holder holds it; belongs to the holder. */
    private int holds;

    void lock() {
        if (!Thread.currentThread().equals(holder)) {
            turn.acquireUninterruptibly();
            holder = Thread.currentThread();
        }
        holds++;
    }

    /** Takes it within a time; whether it has. */
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        if (!Thread.currentThread().equals(holder)) {
            if (!turn.tryAcquire(time, unit)) {
                return false;
            }
            holder = Thread.currentThread();
        }
        holds++;
        return true;
    }

    /** Takes it if that is possible at once. */
    boolean tryLock() {
        if (!Thread.currentThread().equals(holder)) {
            if (!turn.tryAcquire()) {
                return false;
            }
            holder = Thread.currentThread();
        }
        holds++;
        return true;
    }

    void unlock() {
        holds--;
        if (holds == 0) {
            holder = null;
            turn.release();
        }
    }

    /** The holder, which holds it once, leaves it locked for the thread that calls {@link #takeOver}. */
    void handOff() {
        holder = null;
    }

    /** The calling thread becomes the holder in place of the one that has called {@link #handOff}. */
    void takeOver() {
        holder = Thread.currentThread();
    }

    /** The answer may be old. */
    boolean isLocked() {
        return turn.availablePermits() == 0;
    }

    boolean isHeldByCurrentThread() {
        return Thread.currentThread().equals(holder);
    }

    /** Whether a platform thread holds it; the answer may be old. */
    boolean isPlatformThreads() {
        Thread seen = holder;
        return seen != null && !seen.isVirtual();
    }
}
