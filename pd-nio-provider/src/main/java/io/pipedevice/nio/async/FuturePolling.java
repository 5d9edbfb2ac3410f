// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The waits of the program's threads for the futures of a group. While one thread waits, and no operation of the group has
 * had to wait with a completion handler, that thread polls in place of the group's threads: the result need not wake it.
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

    /** The future of the thread that polls, or is about to; null if there is none. */
    private volatile Future<?> borrowedFor;

    /** The future of the thread that would poll; null if there is none. Races between threads do no harm. */
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
    public void begin() {
        if (waiting.getAndIncrement() > 0) {
            polling.keep();
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // futures are equal to themselves alone, here and below
    public void end(Future<?> future) {
        if (waiting.decrementAndGet() > 0) {
            polling.keep();
        }
        if (wanted == future) {
            wanted = null;
        }
    }

    @Override
    public void looked() {
        polling.keep();
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // as above
    public void completed(Future<?> future) {
        if (future == borrowedFor) {
            polling.changed();
        } else if (future == wanted && mayBeOne()) {
            polling.lend();
            if (handlers) {
                polling.keep();
            }
        }
    }

    @Override
    public void poll(Future<?> future, long nanos) throws InterruptedException {
        boolean may = nanos >= SHORTEST_NS && mayPoll();
        if (may) {
            // The thread of the group that completes it lends this one the next select.
            wanted = future;
        }
        if (!may || polling.hasTasks() || !polling.tryBorrow()) {
            polling.keep();
            return;
        }
        borrowedFor = future;
        try {
            pollBorrowed(future, nanos);
        } catch (IOException | ClosedSelectorException e) {
            // The group has ended, or its threads find the same failure and report it.
            return;
        } finally {
            borrowedFor = null;
            if (isRunning(future) || polling.hasTasks() || polling.isKept()) {
                polling.takeBack();
            }
        }
    }

    /** Polls at least once, because this thread has the right to. */
    private void pollBorrowed(Future<?> future, long nanos) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        long left = nanos;
        do {
            if (polling.pollForFutures(Math.clamp(TimeUnit.NANOSECONDS.toMillis(left), 1, LONGEST_MS), future)) {
                throw new InterruptedException();
            }
            left = nanos == FOREVER ? FOREVER : nanos - (System.nanoTime() - begun);
        } while (isRunning(future) && left >= SHORTEST_NS && !polling.hasTasks() && mayPoll() && polling.tryBorrow());
    }

    private static boolean isRunning(Future<?> future) {
        return future.state() == Future.State.RUNNING;
    }

    private boolean mayPoll() {
        return mayBeOne() && !polling.isOver() && !Thread.currentThread().isVirtual() && !Invocation.isOf(polling);
    }

    /** Whether one thread alone may poll for itself. */
    private boolean mayBeOne() {
        return !handlers && waiting.get() == 1;
    }
}
