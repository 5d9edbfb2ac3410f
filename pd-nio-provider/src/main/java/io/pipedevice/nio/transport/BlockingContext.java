// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.IllegalBlockingModeException;

/**
 * A channel, as a call that may block sees it. The call waits between {@link #enter} and {@link #exit}: there the close
 * of the channel, or an interrupt of the thread, ends the wait. Thread safe.
 */
public interface BlockingContext {
    /**
     * Whether the channel is in blocking mode.
     *
     * @return the mode, which another thread may change while this one holds neither lock of the channel
     */
    boolean isBlocking();

    /**
     * Whether the channel is open.
     *
     * @return false from the beginning of its close on
     */
    boolean isOpen();

    /**
     * Whether the calling thread may wait. A thread that holds the channel's blocking lock, in blocking mode, may not:
     * no other thread could use the lock while it waits.
     *
     * @return false if the call must do only what can be done at once
     */
    boolean mayWait();

    /**
     * Whether an interrupt ends each call that may block, also one that would not have to wait: so it is with the
     * channels of the JDK, but not with its sockets.
     *
     * @return the same at each call
     */
    default boolean isInterruptible() {
        return true;
    }

    /**
     * Whether a call may try what can be done at once, before it waits.
     *
     * @return false if the thread is interrupted, and the channel is about to be closed therefore
     */
    default boolean mayTry() {
        return !isBlocking() || !isInterruptible() || !Thread.currentThread().isInterrupted();
    }

    /** Begins a wait, which a close or an interrupt ends. */
    void enter();

    /**
     * Ends a wait.
     *
     * @param completed whether the operation has moved something, so that a close does not count
     * @throws AsynchronousCloseException if the channel was closed, or the thread interrupted, during the wait
     */
    void exit(boolean completed) throws AsynchronousCloseException;

    /**
     * Fails if the calling thread is interrupted: such a thread does not begin a call that may block, even if the call
     * would not block. Does nothing in non-blocking mode.
     *
     * @throws AsynchronousCloseException if the thread is interrupted, and the channel now closed
     */
    default void leaveIfInterrupted() throws AsynchronousCloseException {
        if (isBlocking() && isInterruptible()) {
            enter();
            exit(true);
        }
    }

    /**
     * Fails in non-blocking mode. For calls that exist only in blocking mode, such as those of a socket adaptor.
     *
     * @throws IllegalBlockingModeException if the channel does not block
     */
    default void requireBlocking() {
        if (!isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }
}
