// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.LONG;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/** Queries about this process and the system. */
final class SystemCalls {
    private static final int SC_CLK_TCK = 2;
    private static final int RLIMIT_NOFILE = 7;

    private static final CFunction GETPAGESIZE = CFunction.of("getpagesize");
    private static final CFunction GETPID = CFunction.of("getpid");
    private static final CFunction GETEUID = CFunction.of("geteuid");
    private static final CFunction SYSCONF = CFunction.of("sysconf");
    private static final CFunction GETRLIMIT = CFunction.of("getrlimit");

    private static final CFunction CLOCK_GETTIME = CFunction.of("clock_gettime");
    private static final int CLOCK_BOOTTIME = 7;

    private SystemCalls() {}

    /** getpagesize(2), in bytes. */
    static int pageSize() {
        return GETPAGESIZE.toInt(0, 0, 0, 0);
    }

    /**
     * getpid(2), as this process's PID namespace sees it. ProcessHandle would start a pool of threads that wait for
     * children.
     */
    static int processId() {
        return GETPID.toInt(0, 0, 0, 0);
    }

    /** geteuid(2). */
    static int effectiveUid() {
        return GETEUID.toInt(0, 0, 0, 0);
    }

    /** The unit of the times in /proc, per second: sysconf(3), _SC_CLK_TCK. */
    static long clockTicksPerSecond() {
        return SYSCONF.toLong(SC_CLK_TCK, 0, 0, 0, 0, 0);
    }

    /**
     * The time of a clock, clock_gettime(2).
     *
     * @param clock its number
     * @param time memory for two words, which the call writes
     * @return in nanoseconds
     */
    static long nanosOf(int clock, MemorySegment time) {
        CLOCK_GETTIME.toInt(time, clock, time.address(), 0, 0);
        return TimeUnit.SECONDS.toNanos(time.get(LONG, 0)) + time.get(LONG, Long.BYTES);
    }

    /**
     * A time in the past as the time since the system started, in the unit of the times in /proc, which are rounded
     * down, too.
     *
     * @param pastNs of {@link System#nanoTime}
     * @return never too early: the time of a suspended system makes it later
     */
    static long bootTicks(long pastNs) {
        long elapsedNs = System.nanoTime() - pastNs;
        try (Scratch scratch = Scratch.borrow()) {
            long sinceNs = nanosOf(CLOCK_BOOTTIME, scratch.zeroed()) - elapsedNs;
            return sinceNs / (TimeUnit.SECONDS.toNanos(1) / clockTicksPerSecond());
        }
    }

    /** How many descriptors this process may have open, getrlimit(2); -1 when unlimited or unknown. */
    static long openFilesLimit() {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment limits = scratch.zeroed();
            int result = GETRLIMIT.toInt(limits, RLIMIT_NOFILE, limits.address(), 0, 0);
            return result < 0 ? -1 : limits.get(LONG, 0);
        }
    }
}
