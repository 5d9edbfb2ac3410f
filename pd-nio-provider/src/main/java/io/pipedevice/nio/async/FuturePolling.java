// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The waits of the program's threads for the futures of a group. While one thread waits, and the group has had no
 * completion handlers, that thread polls in place of the group's threads: the result need not wake it.
 *
 * <p>Thread safe.
 */
final class FuturePolling implements FutureWaits {
    /** The longest select: a program may complete a future by itself, which wakes no select. */
    private static final long LONGEST_MS = 1_000;

    /** The shortest select. */
    private static final long SHORTEST_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Polling polling;
    private final AtomicInteger waiting = new AtomicInteger();

    /** Whether an operation with a handler has waited. The group's threads then poll for good. */
    private volatile boolean handlers;

    /** Whether a thread polls that waits for a future, or is about to. */
    private volatile boolean borrowed;

    /** The future for which a thread has begun to wait last; null if none waits. Races between threads do no harm. */
    private volatile Future<?> wanted;

    FuturePolling(Polling polling) {
        this.polling = polling;
    }

    @Override
    public void handlerWaits() {
        if (!handlers) {
            handlers = true;
            polling.keep();
        }
    }

    @Override
    public void begin(Future<?> future) {
        wanted = future;
        if (waiting.getAndIncrement() > 0) {
            polling.takeBack();
        }
    }

    @Override
    public void end() {
        if (waiting.decrementAndGet() > 0) {
            polling.takeBack();
        } else {
            wanted = null;
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // futures are equal to themselves alone
    public void completed(Future<?> future) {
        if (borrowed) {
            polling.changed();
        } else if (future == wanted && mayBeOne()) {
            polling.lend();
        }
    }

    @Override
    public void poll(Future<?> future, long nanos) throws InterruptedException {
        if (nanos < SHORTEST_NS || !mayPoll() || !polling.tryBorrow()) {
            // The group's threads poll. The one that completes the future lends this thread the next select.
            polling.keep();
            return;
        }
        borrowed = true;
        try {
            pollBorrowed(future, nanos);
        } catch (IOException | ClosedSelectorException e) {
            // The group has ended, or its threads find the same failure and report it.
            return;
        } finally {
            borrowed = false;
            if (!future.isDone() || polling.hasTasks()) {
                polling.takeBack();
            }
        }
    }

    /** Polls at least once, because this thread has the right to. */
    private void pollBorrowed(Future<?> future, long nanos) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        long left = nanos;
        do {
            polling.pollForFutures(Math.clamp(TimeUnit.NANOSECONDS.toMillis(left), 1, LONGEST_MS), future);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            left = nanos == FOREVER ? FOREVER : nanos - (System.nanoTime() - begun);
        } while (!future.isDone() && left >= SHORTEST_NS && mayPoll() && polling.tryBorrow());
    }

    private boolean mayPoll() {
        return mayBeOne() && !polling.isOver() && !Thread.currentThread().isVirtual() && !Invocation.isOf(polling);
    }

    /** Whether one thread alone may poll for itself. */
    private boolean mayBeOne() {
        return !handlers && waiting.get() == 1;
    }
}
