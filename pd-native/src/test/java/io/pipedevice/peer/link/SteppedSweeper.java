// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;

/**
 * A sweeper whose rounds begin when a test says so, and not by themselves: its thread sleeps for a day, and an
 * interrupt ends that. Used by one thread.
 */
final class SteppedSweeper {
    private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

    /** The sweeper. */
    final Sweeper sweeper = new Sweeper(DAY_MS, this::create);

    /** The last thread of the sweeper; null if it never had work. */
    private volatile Thread thread;

    private Thread create(Runnable task) {
        Thread created = Thread.ofPlatform().daemon().unstarted(task);
        thread = created;
        return created;
    }

    /** Whether a link was ever due. */
    boolean wasNeeded() {
        return thread != null;
    }

    /** Whether links are due, or were in the last round. */
    boolean isRunning() {
        Thread last = thread;
        return last != null && last.isAlive();
    }

    /**
     * Sweeps the links that are due, if there are any, and returns when that is done. The round after it begins, too:
     * if it finds nothing due, the thread ends.
     */
    void round() {
        if (isRunning()) {
            mark();
            // The round of the second mark begins when that of the first one is over.
            mark();
            wake();
            poll().until(() -> !isRunning() || (!thread.isInterrupted() && isAsleep()));
        }
    }

    /** Returns when a round has swept what is due now. Other links of that round may still be swept. */
    private void mark() {
        CountDownLatch swept = new CountDownLatch(1);
        assertTrue(sweeper.later(new Mark(swept)));
        wake();
        try {
            assertTrue(swept.await(20, TimeUnit.SECONDS), "the sweeper's thread does not run");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Ends the sleep before the next round. */
    private void wake() {
        poll().until(() -> !isRunning() || isAsleep());
        thread.interrupt();
    }

    private boolean isAsleep() {
        return thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static ConditionFactory poll() {
        return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
    }

    /** Something to sweep, which is then not due any more. */
    private record Mark(CountDownLatch swept) implements Sweeper.Swept {
        @Override
        public boolean sweep() {
            swept.countDown();
            return false;
        }

        @Override
        public boolean receiveMessages() {
            return false;
        }

        @Override
        public boolean sweepSoon() {
            return true;
        }
    }
}
