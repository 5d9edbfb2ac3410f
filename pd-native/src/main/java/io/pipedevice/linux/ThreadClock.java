// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/**
 * The processor time of the calling thread, CLOCK_THREAD_CPUTIME_ID of clock_gettime(2): a thread that the kernel does not
 * run, or that waits at a safepoint of the JVM, uses none. Belongs to one thread.
 */
public final class ThreadClock {
    private static final int CLOCK_THREAD_CPUTIME_ID = 3;
    private static final CFunction CLOCK_GETTIME = CFunction.of("clock_gettime");

    private final MemorySegment time = Arena.ofAuto().allocate(2 * Long.BYTES, Long.BYTES);

    /** Creates a clock for one thread. */
    public ThreadClock() {}

    /**
     * Processor time that the calling thread has used in user and kernel mode, one system call.
     *
     * @return nanoseconds
     */
    public long cpuNs() {
        CLOCK_GETTIME.toInt(time, CLOCK_THREAD_CPUTIME_ID, time.address(), 0, 0);
        return TimeUnit.SECONDS.toNanos(time.get(Native.LONG, 0)) + time.get(Native.LONG, Long.BYTES);
    }
}
