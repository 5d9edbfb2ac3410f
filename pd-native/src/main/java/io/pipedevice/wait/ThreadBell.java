// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.PdException;

/**
 * An object in the kernel on which one thread at a time sleeps, and through which other threads and processes wake it.
 */
public interface ThreadBell {
    /**
     * Blocks the calling thread, which is not virtual, until a signal or the timeout. It may return spuriously.
     *
     * @param nanos longest time, {@link Long#MAX_VALUE} for ever
     * @return false if this bell can no longer wake a thread
     * @throws PdException if the thread cannot sleep
     */
    boolean sleep(long nanos) throws PdException;

    /** Wakes the sleeping thread, or the next one. Any thread. */
    void signal();
}
