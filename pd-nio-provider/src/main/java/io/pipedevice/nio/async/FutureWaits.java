// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.util.concurrent.Future;

/** The waits of the program's threads for the futures of a group. Thread safe. */
interface FutureWaits {
    /** A wait without a limit. */
    long FOREVER = Long.MAX_VALUE;

    /** An operation with a handler waits. */
    void handlerWaits();

    /** A thread begins to wait, perhaps beside others. */
    void begin();

    /** A thread waits no more. */
    void end(Future<?> future);

    /** A thread has found that a future is not done, and does not wait for it now. */
    void looked();

    /** A future was completed, by any thread. */
    void completed(Future<?> future);

    /**
     * Gets a future done by the calling thread, where it may; it need not be done after that. Between {@link #begin} and
     * {@link #end}.
     *
     * @param nanos the longest time, or {@link #FOREVER}
     * @throws InterruptedException if the thread is interrupted
     */
    void poll(Future<?> future, long nanos) throws InterruptedException;
}
