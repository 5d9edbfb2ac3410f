// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import java.io.IOException;

/**
 * A lane's queue of copies to a GPU, which executes them in order. Belongs to the driver's thread. What it uses of the
 * GPU lives as long as the context.
 */
interface CopyQueue {
    /**
     * Begins in a new context, with an empty queue.
     *
     * @throws IOException if the GPU does not have what the queue needs
     */
    void begin() throws IOException;

    /**
     * Posts a copy, which the GPU may see at once, or not before {@link #flush}. At most a queue's depth of copies may
     * be unfinished.
     *
     * @param source address of registered memory
     * @param destination address of registered memory
     * @param length in bytes, 1 to the device's largest transfer
     */
    void post(long source, long destination, int length);

    /**
     * Has the GPU work while there are unfinished copies. Called again and again as long as there are some.
     *
     * @throws CudaException if the context is lost
     */
    void flush() throws CudaException;

    /** The number of copies that are finished, of those posted since the last {@link #begin} or {@link #clear}. */
    long finished();

    /** Has the GPU stop as soon as the copies that it has begun are finished, until the next {@link #flush}. */
    void stop();

    /** Whether the GPU touches no memory on behalf of this queue until the next {@link #flush}. */
    boolean isStopped();

    /** Removes all copies. Only while the queue is stopped. */
    void clear();

    /**
     * Checks whether the context works.
     *
     * @throws CudaException if it is lost
     */
    void check() throws CudaException;
}
