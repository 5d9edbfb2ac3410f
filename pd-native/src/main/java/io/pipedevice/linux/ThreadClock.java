// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The processor time of the calling thread, CLOCK_THREAD_CPUTIME_ID of clock_gettime(2): a thread uses none while the
 * kernel does not run it, or while it waits at a safepoint of the JVM. Belongs to one thread.
 */
public final class ThreadClock {
    private static final int CLOCK_THREAD_CPUTIME_ID = 3;

    private final MemorySegment time = Arena.ofAuto().allocate(2 * Long.BYTES, Long.BYTES);

    /** Creates a clock for one thread. */
    public ThreadClock() {}

    /**
     * The processor time that the calling thread has used in user and kernel mode. Makes one system call.
     *
     * @return nanoseconds
     */
    public long cpuNs() {
        return SystemCalls.nanosOf(CLOCK_THREAD_CPUTIME_ID, time);
    }
}
