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
    /** Ends the operation. Set before the program has this future. */
    private Cancellation cancellation;

    void cancelledBy(Cancellation end) {
        cancellation = end;
    }

    /** As with the JDK, the exception of a cancellation has no message. */
    @Override
    public V get() throws InterruptedException, ExecutionException {
        try {
            return super.get();
        } catch (CancellationException e) {
            throw plain(e);
        }
    }

    @Override
    public V get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return super.get(timeout, unit);
        } catch (CancellationException e) {
            throw plain(e);
        }
    }

    private static CancellationException plain(CancellationException e) {
        return (CancellationException) new CancellationException().initCause(e);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean done = isDone();
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (!done && cancelled) {
            cancellation.cancel(mayInterruptIfRunning);
        }
        return !done && cancelled;
    }
}
