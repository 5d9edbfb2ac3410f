// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A completion handler that keeps the result for the test. The attachment is to be this object. */
final class Completion<V> implements CompletionHandler<V, Object> {
    private static final long PATIENCE_S = 20;

    private final CompletableFuture<V> result = new CompletableFuture<>();
    private final CompletableFuture<Thread> caller = new CompletableFuture<>();

    @Override
    public void completed(V value, Object attachment) {
        once(attachment);
        result.complete(value);
    }

    @Override
    public void failed(Throwable cause, Object attachment) {
        once(attachment);
        result.completeExceptionally(cause);
    }

    private void once(Object attachment) {
        assertEquals(this, attachment, "the attachment");
        assertTrue(caller.complete(Thread.currentThread()), "a handler is called once");
    }

    V value() throws Exception {
        return result.get(PATIENCE_S, TimeUnit.SECONDS);
    }

    /** The result, for a handler. */
    V get() {
        return result.join();
    }

    /** The result, if there is one in time. */
    V valueWithin(long millis) throws Exception {
        return result.get(millis, TimeUnit.MILLISECONDS);
    }

    boolean isDone() {
        return result.isDone();
    }

    /** Whether it fails, not succeeds. Waits for that. */
    boolean hasFailed() throws Exception {
        return result.handle((value, cause) -> cause != null).get(PATIENCE_S, TimeUnit.SECONDS);
    }

    /** The class and the message of the failure. */
    String failure() {
        Throwable cause = assertThrows(ExecutionException.class, this::value).getCause();
        return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }

    /** Whether the handler is not called for a moment. */
    void expectNone() {
        assertThrows(TimeoutException.class, () -> result.get(50, TimeUnit.MILLISECONDS));
        assertFalse(result.isDone());
    }

    Thread caller() throws Exception {
        return caller.get(PATIENCE_S, TimeUnit.SECONDS);
    }
}
