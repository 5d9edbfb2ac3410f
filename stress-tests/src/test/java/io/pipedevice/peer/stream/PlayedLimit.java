// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import java.util.ArrayDeque;
import java.util.Deque;

/** A limit whose tokens are used up, with a clock and a timer that the test plays. */
final class PlayedLimit {
    private static final int BYTES_PER_SECOND = 1_000_000;
    private static final long LATER_NS = 1_000_000_000;

    final SendLimit limit = new SendLimit(() -> nowNs(), (nanos, task) -> later(task));

    /** Guarded by this object's monitor. */
    private final Deque<Runnable> tasks = new ArrayDeque<>();

    private volatile long nowNs;

    PlayedLimit() {
        limit.rate(BYTES_PER_SECOND);
        while (limit.take(BYTES_PER_SECOND) > 0) {
            Thread.onSpinWait();
        }
    }

    /** An end that notes whether it was woken. */
    static final class Sleeper implements RingLink.End {
        volatile boolean woken;

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
            woken = true;
        }

        @Override
        public boolean release() {
            return false;
        }
    }

    private long nowNs() {
        return nowNs;
    }

    private synchronized void later(Runnable task) {
        tasks.add(task);
    }

    /** The timer ends that was started first. */
    void time() {
        nowNs = LATER_NS;
        next().run();
    }

    private synchronized Runnable next() {
        return tasks.remove();
    }

    /** Whether a timer runs. */
    synchronized boolean isTimed() {
        return !tasks.isEmpty();
    }
}
