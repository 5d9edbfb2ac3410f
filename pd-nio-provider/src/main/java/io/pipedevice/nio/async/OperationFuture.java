// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The result of an operation without a completion handler. A cancellation ends the operation, so that the channel
 * refuses to begin another one of that kind; one that may interrupt closes the channel. Thread safe.
 */
final class OperationFuture<V> extends CompletableFuture<V> {
    /** Ends the operation. This and the field below are set before the program has this future. */
    private Cancellation cancellation;

    private FutureWaits waits;

    /** The operation begins. */
    void begins(Cancellation end, FutureWaits ofGroup) {
        cancellation = end;
        waits = ofGroup;
    }

    /** As with the JDK, the exception of a cancellation has no message. */
    @Override
    public V get() throws InterruptedException, ExecutionException {
        if (super.isDone()) {
            return result();
        }
        waits.begin();
        try {
            waits.poll(this, FutureWaits.FOREVER);
            return result();
        } finally {
            waits.end(this);
        }
    }

    private V result() throws InterruptedException, ExecutionException {
        try {
            return super.get();
        } catch (CancellationException e) {
            throw plain(e);
        }
    }

    @Override
    public V get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (super.isDone()) {
            return result();
        }
        long begun = System.nanoTime();
        waits.begin();
        try {
            waits.poll(this, unit.toNanos(timeout));
            return super.get(unit.toNanos(timeout) - (System.nanoTime() - begun), TimeUnit.NANOSECONDS);
        } catch (CancellationException e) {
            throw plain(e);
        } finally {
            waits.end(this);
        }
    }

    private static CancellationException plain(CancellationException e) {
        return (CancellationException) new CancellationException().initCause(e);
    }

    /** A program that looks again and again expects that the operation goes on meanwhile. */
    @Override
    public boolean isDone() {
        boolean done = super.isDone();
        if (!done) {
            waits.looked();
        }
        return done;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean done = super.isDone();
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (!done && cancelled) {
            waits.completed(this);
            cancellation.cancel(mayInterruptIfRunning);
        }
        return !done && cancelled;
    }
}
