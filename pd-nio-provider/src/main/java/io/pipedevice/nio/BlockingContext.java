// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.IllegalBlockingModeException;

/**
 * What a call that may block needs of its channel. A wait is made between {@link #enter} and {@link #exit}: there the close
 * of the channel, or an interrupt of the thread, ends it. Thread safe.
 */
interface BlockingContext {
    boolean isBlocking();

    boolean isOpen();

    /**
     * Whether the calling thread may wait. A thread that holds the channel's blocking lock, in blocking mode, may not: as
     * long as it waits nobody else can use the lock.
     */
    boolean mayWait();

    /** Begins a wait that close and interrupt end. */
    void enter();

    /**
     * Ends it; throws what close or interrupt left.
     *
     * @param completed whether the operation has done something, so that a close does not count
     */
    void exit(boolean completed) throws AsynchronousCloseException;

    /** Fails if the calling thread is interrupted: it does not get into a call that may block, whatever it would find. */
    default void leaveIfInterrupted() throws AsynchronousCloseException {
        if (isBlocking()) {
            enter();
            exit(true);
        }
    }

    /** For calls that exist only in that mode, as the adaptor's. */
    default void requireBlocking() {
        if (!isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }
}
