// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;
import static io.pipedevice.linux.Native.LONG;
import static io.pipedevice.linux.Native.POINTER;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls that an attacker could make and that the main code has no use for. Negative results are errnos. */
final class TestCalls {
    static final int F_GETFD = 1;
    static final int FD_CLOEXEC = 1;
    static final int O_RDWR = 2;
    static final int O_TRUNC = 01000;
    static final int O_CLOEXEC = 02000000;
    static final int PUNCH_HOLE_KEEP_SIZE = 3;

    private static final MethodHandle MPROTECT = Native.bind("mprotect", INT, LONG, LONG, INT);
    private static final MethodHandle OPEN = Native.bindVariadic("open", 2, INT, POINTER, INT, INT);
    private static final MethodHandle NAME = Native.bindOptional("strerrorname_np", POINTER, INT);

    private TestCalls() {}

    static int mprotect(MemorySegment memory, int protection) {
        MemorySegment state = Scratch.state();
        try {
            int result = (int) MPROTECT.invokeExact(state, memory.address(), memory.byteSize(), protection);
            return Native.result(result, state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    static int open(String path, int flags) {
        MemorySegment state = Scratch.state();
        try (Arena arena = Arena.ofConfined()) {
            return Native.result((int) OPEN.invokeExact(state, arena.allocateFrom(path), flags, 0), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** What the C library calls an errno; null where it cannot tell or has no name. */
    @SuppressWarnings("restricted")
    static String errnoName(int errno) {
        if (NAME == null) {
            return null;
        }
        try {
            MemorySegment name = (MemorySegment) NAME.invokeExact(Scratch.state(), errno);
            return name.address() == 0 ? null : name.reinterpret(64).getString(0);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** Whether a number is an open descriptor. */
    static boolean isOpen(int fd) {
        return FileCalls.fcntl(fd, F_GETFD, 0) >= 0;
    }
}
