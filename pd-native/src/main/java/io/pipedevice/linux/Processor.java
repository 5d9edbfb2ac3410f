// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.MemorySegment;

/** The processor on which a thread runs. Any thread; no system call. */
public final class Processor {
    /** sched_getcpu(3), which the C library answers without a system call. */
    private static final MemorySegment SCHED_GETCPU = Native.address("sched_getcpu");

    private static final MemorySegment NULL = MemorySegment.NULL;

    private Processor() {}

    /**
     * The processor on which the calling thread runs, sched_getcpu(3). The thread may leave it at any time. Allocates
     * nothing.
     *
     * @return its number, 0 or more; negative if it is unknown
     */
    public static int current() {
        try {
            // Without CFunction, which borrows memory for errno: a spin makes this call, and it cannot fail.
            return (int) (long) Native.CALL
                    .handle()
                    .invokeExact(SCHED_GETCPU, Scratch.unread(), 0L, 0L, 0L, 0L, 0L, 0L, NULL, NULL);
        } catch (Throwable t) {
            throw Native.unexpected(t);
        }
    }
}
