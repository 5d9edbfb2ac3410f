// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import java.lang.foreign.MemorySegment;

/** What a client asks, one call after the other. Used by one thread. */
interface Workload {
    /** Goes on to the next call. Returns the number of its function. */
    int next();

    /** Writes the message of this call. */
    void write(MemorySegment message);

    /**
     * Checks an answer.
     *
     * @throws IllegalStateException if it is not what the application has stored
     */
    void check(MemorySegment message, long result);
}
