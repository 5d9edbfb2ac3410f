// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;
import static io.pipedevice.linux.Native.LONG;
import static io.pipedevice.linux.Native.POINTER;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls on any descriptor. Negative results are errnos. */
final class FileCalls {
    static final int F_GETFL = 3;
    static final int F_SETFL = 4;
    static final int F_ADD_SEALS = 1033;
    static final int F_GET_SEALS = 1034;
    static final int O_NONBLOCK = 04000;
    static final int AT_EMPTY_PATH = 0x1000;
    static final int STATX_BASIC_STATS = 0x7ff;

    private static final MethodHandle CLOSE = Native.bind("close", INT, INT);
    private static final MethodHandle FCNTL = Native.bindVariadic("fcntl", 2, INT, INT, INT, INT);
    private static final MethodHandle READ = Native.bind("read", LONG, INT, POINTER, LONG);
    private static final MethodHandle WRITE = Native.bind("write", LONG, INT, POINTER, LONG);
    private static final MethodHandle STATX = Native.bind("statx", INT, INT, POINTER, INT, INT, POINTER);
    private static final MethodHandle FSTATFS = Native.bind("fstatfs", INT, INT, POINTER);

    private FileCalls() {}

    /** close(2). Never repeat it: on Linux the number is free again, whatever the result. */
    static int close(int fd) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) CLOSE.invokeExact(state, fd), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** fcntl(2), for the commands that take an int. */
    static int fcntl(int fd, int command, int argument) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) FCNTL.invokeExact(state, fd, command, argument), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** read(2). */
    static long read(int fd, MemorySegment buffer, long length) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((long) READ.invokeExact(state, fd, buffer, length), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** write(2). */
    static long write(int fd, MemorySegment buffer, long length) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((long) WRITE.invokeExact(state, fd, buffer, length), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** statx(2): what fstat(2) tells, in a layout that is the same on every architecture. */
    static int statx(int fd, MemorySegment path, int flags, int mask, MemorySegment result) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) STATX.invokeExact(state, fd, path, flags, mask, result), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** fstatfs(2). */
    static int fstatfs(int fd, MemorySegment result) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) FSTATFS.invokeExact(state, fd, result), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }
}
