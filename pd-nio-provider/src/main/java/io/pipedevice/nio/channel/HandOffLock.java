// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/**
 * A reentrant lock that its holder may hand off to another thread, which continues the holder's operation. No third
 * thread gets the lock in between.
 *
 * <p>It extends the synchronizer and does not hold one: with thousands of connections, each object that a call uses is
 * missing in the processor's caches.
 */
final class HandOffLock extends AbstractQueuedSynchronizer {
    private static final long serialVersionUID = 1;

    private static final int FREE = 0;
    private static final int TAKEN = 1;

    /** The holder, which writes this itself. Another thread may see an old holder, but never itself. */
    private transient Thread holder;

    /** How many times the holder holds it; belongs to the holder. */
    private transient int holds;

    @Override
    protected boolean tryAcquire(int taken) {
        return compareAndSetState(FREE, taken);
    }

    @Override
    protected boolean tryRelease(int free) {
        setState(free);
        return true;
    }

    void lock() {
        if (!isHeldByCurrentThread()) {
            acquire(TAKEN);
            holder = Thread.currentThread();
        }
        holds++;
    }

    /** Takes it within a time; whether it has. */
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        if (!isHeldByCurrentThread()) {
            if (!tryAcquireNanos(TAKEN, unit.toNanos(time))) {
                return false;
            }
            holder = Thread.currentThread();
        }
        holds++;
        return true;
    }

    /** Takes it if that is possible at once. */
    boolean tryLock() {
        if (!isHeldByCurrentThread()) {
            if (!tryAcquire(TAKEN)) {
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
            release(FREE);
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
        return getState() != FREE;
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
