// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.PdException;

/** What one thread at a time sleeps on in the kernel, and other threads and processes wake it by. */
public interface ThreadBell {
    /**
     * Blocks the calling thread, which is not virtual, until it is woken or the time is over, or without need.
     *
     * @param nanos longest time, {@link Long#MAX_VALUE} for ever
     * @return false if nothing can wake a thread by this bell any more
     * @throws PdException if the thread cannot sleep
     */
    boolean sleep(long nanos) throws PdException;

    /** Wakes the sleeping thread, or the next one. Any thread. */
    void signal();
}
