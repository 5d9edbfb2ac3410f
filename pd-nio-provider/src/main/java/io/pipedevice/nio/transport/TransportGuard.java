// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

/**
 * Runs the end of a connection when no thread is inside, so that none is stopped in the middle of a copy. Thread safe.
 */
public interface TransportGuard {
    /**
     * Closes, once, if no thread reads or writes. Otherwise does nothing, and the last thread that leaves has to call
     * this again. Never blocks.
     *
     * @param close releases the rings; no thread reads or writes afterwards
     */
    void closeWhenIdle(Runnable close);

    /**
     * Ends the output when no thread is in the middle of a write: now, or as soon as the writing thread has left. Never
     * blocks.
     *
     * @param end tells the peer that no more data come; not called after a close
     */
    void endWhenNobodyWrites(Runnable end);
}
