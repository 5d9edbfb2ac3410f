// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads of a group that neither poll nor run a task. One of them stands by: it looks every few milliseconds whether
 * the other threads make progress, and takes over if they do not, or at once when it is called. The others wait until it
 * leaves.
 *
 * <p>Thread safe.
 */
final class StandBy {
    /** The pause between two looks, when the last ones have found progress. */
    private static final long LONGEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(8);

    private final Polling polling;

    /** Held by the thread that stands by; the threads without work wait for it. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile Thread standing;

    /** Whether the thread that stands by sleeps until it is woken. */
    private volatile boolean resting;

    /** Whether that thread is to take over at once. */
    private volatile boolean called;

    StandBy(Polling polling) {
        this.polling = polling;
    }

    /** Waits until this thread is to look for tasks, or to poll: it was called, or the other threads are stuck. */
    void await() {
        lock.lock();
        try {
            standing = Thread.currentThread();
            long pauseNs = Polling.QUIET_NS;
            while (!polling.isOver() && !called) {
                if (polling.isStuck()) {
                    polling.rescued();
                    break;
                }
                rest(pauseNs);
                Thread.interrupted();
                // A look takes a processor from a thread that spins. It pays only while others are stuck.
                pauseNs = Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
            }
            called = false;
        } finally {
            standing = null;
            lock.unlock();
        }
    }

    /** Waits until this thread is called, or a time is over. */
    void pause(long nanos) {
        lock.lock();
        try {
            standing = Thread.currentThread();
            if (!called && !polling.isOver()) {
                LockSupport.parkNanos(this, nanos);
            }
            called = false;
        } finally {
            standing = null;
            lock.unlock();
        }
    }

    private void rest(long pauseNs) {
        if (!polling.isAsleep()) {
            LockSupport.parkNanos(this, pauseNs);
            return;
        }
        // The thread that polls is asleep, too, and wakes this one when it ends its select.
        resting = true;
        try {
            if (polling.isAsleep() && !called && !polling.isOver()) {
                LockSupport.park(this);
            }
        } finally {
            resting = false;
        }
    }

    /** Makes the thread that stands by take over now. */
    void call() {
        called = true;
        wake();
    }

    /** A select has ended. */
    void moved() {
        if (resting) {
            wake();
        }
    }

    /** Makes the thread that stands by look now. */
    void wake() {
        LockSupport.unpark(standing);
    }
}
