// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;
import static io.pipedevice.linux.Native.LONG;
import static io.pipedevice.linux.Native.POINTER;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Questions about this process and the system. */
final class SystemCalls {
    private static final int SC_CLK_TCK = 2;
    private static final int RLIMIT_NOFILE = 7;

    private static final MethodHandle GETPAGESIZE = Native.bind("getpagesize", INT);
    private static final MethodHandle GETEUID = Native.bind("geteuid", INT);
    private static final MethodHandle SYSCONF = Native.bind("sysconf", LONG, INT);
    private static final MethodHandle GETRLIMIT = Native.bind("getrlimit", INT, INT, POINTER);

    private SystemCalls() {}

    /** getpagesize(2), in bytes. */
    static int pageSize() {
        try {
            return (int) GETPAGESIZE.invokeExact(Scratch.state());
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** geteuid(2). */
    static int effectiveUid() {
        try {
            return (int) GETEUID.invokeExact(Scratch.state());
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** The unit of the times in /proc, per second: sysconf(3), _SC_CLK_TCK. */
    static long clockTicksPerSecond() {
        try {
            return (long) SYSCONF.invokeExact(Scratch.state(), SC_CLK_TCK);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** How many descriptors this process may have open, getrlimit(2); -1 when unlimited or unknown. */
    static long openFilesLimit() {
        MemorySegment limits = Scratch.zeroed();
        try {
            int result = (int) GETRLIMIT.invokeExact(Scratch.state(), RLIMIT_NOFILE, limits);
            return result < 0 ? -1 : limits.get(LONG, 0);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }
}
