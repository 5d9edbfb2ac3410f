// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.util.concurrent.Semaphore;

/**
 * A lock that its holder may take again, and may leave to another thread, which goes on with what the holder has begun: nobody
 * comes between.
 */
final class TurnLock {
    private final Semaphore turn = new Semaphore(1);

    /** The holder, written by it. Who does not hold it may see an old one, but never itself. */
    private Thread holder;

    /** How often the holder has taken it; the holder's. */
    private int holds;

    void lock() {
        if (!Thread.currentThread().equals(holder)) {
            turn.acquireUninterruptibly();
            holder = Thread.currentThread();
        }
        holds++;
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

    /** The holder, who has taken it once, leaves it locked for the thread that calls {@link #takeOver}. */
    void leave() {
        holder = null;
    }

    /** Goes on in place of a holder that has left. */
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
