// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.InterruptedByTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The operation of one kind that a channel has in progress, at most one: a read, a write, a connect, or an accept. Run,
 * as a task, it tries the operation again, because the channel is ready.
 *
 * <p>Thread safe. An operation is attempted under this object's monitor, and so never by two threads. Attempts do not
 * wait, and call nothing of the program's.
 */
final class Slot implements Runnable {
    /** The longest timeout. A longer one would not end either. */
    private static final long LONGEST_NS = TimeUnit.DAYS.toNanos(10_000);

    private final SlotOwner channel;

    /** A bit of {@link java.nio.channels.SelectionKey}. */
    private final int op;

    private final Supplier<RuntimeException> refusal;
    private final Supplier<RuntimeException> busy;

    /** Null if there is none. This and the field below are guarded by this object's monitor. */
    private Operation<?, ?> pending;

    /** Whether a timeout or a cancellation has ended an operation, which may have lost bytes of the stream. */
    private boolean refusing;

    /** Whether the operation has a timeout, and when that is over. Guarded as above, and so are its looks. */
    private boolean timed;

    private long deadlineNs;

    private final Alarm alarm = new Alarm(this::expire);

    /**
     * Creates an empty slot.
     *
     * @param refusal the exception after a timeout or a cancellation
     * @param busy the exception if an operation is in progress
     */
    Slot(SlotOwner channel, int op, Supplier<RuntimeException> refusal, Supplier<RuntimeException> busy) {
        this.channel = channel;
        this.op = op;
        this.refusal = refusal;
        this.busy = busy;
    }

    /**
     * Begins an operation, and completes it if it need not wait.
     *
     * @param timeoutNs the longest time; no limit if it is 0 or less
     * @throws RuntimeException if the operation is not permitted in the channel's state
     */
    <V> void begin(Operation<V, ?> operation, long timeoutNs) {
        if (operation.future() != null) {
            operation.future().begins(closes -> cancel(operation, closes), channel.waits());
        }
        if (isDone(operation, timeoutNs)) {
            operation.end();
            channel.complete(operation);
        }
    }

    private synchronized boolean isDone(Operation<?, ?> operation, long timeoutNs) {
        if (!channel.isOpen()) {
            operation.fail(new ClosedChannelException());
            return true;
        }
        if (refusing) {
            throw refusal.get();
        }
        if (pending != null) {
            throw busy.get();
        }
        if (attempt(operation)) {
            return true;
        }
        pending = operation;
        if (operation.future() == null) {
            channel.waits().handlerWaits();
        }
        if (!await(operation)) {
            pending = null;
            return true;
        }
        timed = timeoutNs > 0;
        if (timed) {
            long now = System.nanoTime();
            deadlineNs = now + Math.min(timeoutNs, LONGEST_NS);
            alarm.set(deadlineNs, now);
        }
        return false;
    }

    /** Whether the operation is complete. */
    private boolean attempt(Operation<?, ?> operation) {
        try {
            return operation.attempt();
        } catch (AsynchronousCloseException e) {
            // A write after the output was shut fails so in a channel of its own, and as a closed one here.
            operation.fail(channel.isOpen() ? new ClosedChannelException() : e);
            return true;
        } catch (IOException e) {
            operation.fail(e);
            return true;
        }
    }

    /** Waits for the channel to be ready; false if it is closed, and so the operation complete. */
    private boolean await(Operation<?, ?> operation) {
        try {
            channel.await(op);
        } catch (IOException e) {
            operation.fail(e);
            return false;
        }
        // In this order: a close either finds the operation, or is seen here.
        if (!channel.isOpen()) {
            operation.fail(new AsynchronousCloseException());
            return false;
        }
        return true;
    }

    /** Tries the operation again, if there is one. */
    @Override
    public void run() {
        Operation<?, ?> done = tryAgain();
        if (done != null) {
            done.end();
            channel.complete(done);
        }
    }

    /** Tries the operation again, but not if it has a handler, which is code of the program: then it returns false. */
    boolean runForFuture() {
        synchronized (this) {
            if (pending != null && pending.future() == null) {
                return false;
            }
        }
        run();
        return true;
    }

    private synchronized Operation<?, ?> tryAgain() {
        Operation<?, ?> operation = pending;
        if (operation == null) {
            return null;
        }
        boolean done = false;
        try {
            done = attempt(operation) || !await(operation);
        } catch (RuntimeException | Error e) {
            operation.fail(e);
            done = true;
        }
        // A close that is in progress ends the operation, and knows the right exception.
        boolean closing = operation.isFailed() && !channel.isOpen();
        return done && !closing ? take() : null;
    }

    /** Removes the operation. */
    private Operation<?, ?> take() {
        Operation<?, ?> operation = pending;
        pending = null;
        return operation;
    }

    /** Ends the operation if its time is over. */
    private void expire() {
        Operation<?, ?> ended;
        synchronized (this) {
            alarm.rang();
            if (pending == null || !timed) {
                return;
            }
            long now = System.nanoTime();
            if (deadlineNs - now > 0) {
                alarm.set(deadlineNs, now);
                return;
            }
            ended = take();
            refusing = true;
            ended.fail(new InterruptedByTimeoutException());
        }
        ended.end();
        channel.completeLater(ended);
    }

    /** Ends an operation that the program has cancelled. */
    @SuppressWarnings("ReferenceEquality") // as above
    private void cancel(Operation<?, ?> operation, boolean closes) {
        if (channel.cancelled(op)) {
            synchronized (this) {
                if (pending == operation) {
                    take();
                }
            }
        }
        if (closes) {
            channel.closeQuietly();
        }
    }

    /** Makes further operations fail. */
    synchronized void refuse() {
        refusing = true;
    }

    /** Ends the operation because the channel was closed. */
    void close() {
        Operation<?, ?> ended;
        synchronized (this) {
            alarm.cancel();
            ended = take();
            if (ended == null) {
                return;
            }
            ended.fail(new AsynchronousCloseException());
        }
        ended.end();
        channel.completeLater(ended);
    }
}
