// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.nio.channels.CompletionHandler;

/**
 * One asynchronous operation, from its start to its completion: what it does when the channel may be ready, and where
 * its result goes. Run, as a task, it calls its completion handler.
 *
 * @param <V> type of the result
 * @param <A> type of the attachment
 */
abstract class Operation<V, A> implements Runnable {
    /** Null if the result goes to {@link #future}. */
    private final CompletionHandler<V, ? super A> handler;

    private final A attachment;
    private final OperationFuture<V> future;

    /** Set by {@link #attempt}, or by whoever ends the operation, before it is run or settled. */
    private V value;

    private Throwable failure;

    /**
     * Creates an operation.
     *
     * @param handler null for one whose result is a future
     */
    Operation(CompletionHandler<V, ? super A> handler, A attachment) {
        this.handler = handler;
        this.attachment = attachment;
        future = handler == null ? new OperationFuture<>() : null;
    }

    /**
     * Does what can be done without waiting. Holds the monitor of the operation's slot.
     *
     * @return whether the operation is complete: {@link #succeed} was called
     * @throws IOException if it fails
     */
    abstract boolean attempt() throws IOException;

    /** Notes the result; always true. */
    final boolean succeed(V result) {
        value = result;
        return true;
    }

    /** Notes the failure, which takes the place of the result. */
    final void fail(Throwable cause) {
        failure = cause;
    }

    /** Does what is due between the end of the operation and its completion. Called once, without a lock. */
    void ends(boolean failed) {
        // Most operations change nothing but their channel's slot.
    }

    /** Null if it has a handler. */
    final OperationFuture<V> future() {
        return future;
    }

    /** Whether it was completed by {@link #fail}. */
    final boolean isFailed() {
        return failure != null;
    }

    /** Prepares the completion. */
    final void end() {
        ends(failure != null);
    }

    /** Gives the result to the future, for the threads that wait. */
    final void settle() {
        if (failure == null) {
            future.complete(value);
        } else {
            future.completeExceptionally(failure);
        }
    }

    /** Calls the handler. */
    @Override
    public final void run() {
        if (failure == null) {
            handler.completed(value, attachment);
        } else {
            handler.failed(failure, attachment);
        }
    }
}
