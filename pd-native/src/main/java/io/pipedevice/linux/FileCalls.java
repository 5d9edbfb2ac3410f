// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Calls on any descriptor. Negative results are errnos. */
final class FileCalls {
    static final int F_GETFL = 3;
    static final int F_SETFL = 4;
    static final int F_DUPFD_CLOEXEC = 1030;
    static final int F_ADD_SEALS = 1033;
    static final int F_GET_SEALS = 1034;
    static final int O_NONBLOCK = 04000;
    static final int AT_EMPTY_PATH = 0x1000;
    static final int STATX_BASIC_STATS = 0x7ff;

    static final int O_RDONLY = 0;
    static final int O_RDWR = 2;
    static final int O_PATH = 010000000;
    private static final int O_CLOEXEC = 02000000;

    private static final CFunction OPEN = CFunction.of("open");
    private static final CFunction CLOSE = CFunction.of("close");
    private static final CFunction FCNTL = CFunction.of("fcntl");
    private static final CFunction READ = CFunction.of("read");
    private static final CFunction PREAD = CFunction.of("pread");
    private static final CFunction WRITE = CFunction.of("write");
    private static final CFunction IOCTL = CFunction.of("ioctl");
    private static final CFunction STATX = CFunction.of("statx");
    private static final CFunction FSTATFS = CFunction.of("fstatfs");

    private FileCalls() {}

    /** Opens a file that exists, open(2), close-on-exec. */
    static Fd open(String path, int access) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = Foreign.string(arena, path);
            return Fd.own(LinuxException.check("open", OPEN.toInt(name, name.address(), access | O_CLOEXEC, 0, 0)));
        }
    }

    /** close(2). Never repeat it: on Linux the number is free again, whatever the result is. */
    static int close(int fd) {
        return CLOSE.toInt(fd, 0, 0, 0);
    }

    /** fcntl(2), for the commands that take an int. Linux passes variadic arguments like others. */
    static int fcntl(int fd, int command, int argument) {
        return FCNTL.toInt(fd, command, argument, 0);
    }

    /** read(2). */
    static long read(int fd, MemorySegment buffer, long length) {
        return READ.toLong(buffer, MemorySegment.NULL, fd, buffer.address(), length, 0, 0, 0);
    }

    /** pread(2). */
    static long pread(int fd, MemorySegment buffer, long length, long offset) {
        return PREAD.toLong(buffer, MemorySegment.NULL, fd, buffer.address(), length, offset, 0, 0);
    }

    /** write(2). */
    static long write(int fd, MemorySegment buffer, long length) {
        return WRITE.toLong(buffer, MemorySegment.NULL, fd, buffer.address(), length, 0, 0, 0);
    }

    /** ioctl(2) with a number. */
    static int ioctl(int fd, int request, long argument) {
        return IOCTL.toInt(fd, request, argument, 0);
    }

    /** ioctl(2) with a structure. */
    static int ioctl(int fd, int request, MemorySegment argument) {
        return IOCTL.toInt(argument, fd, request, argument.address(), 0);
    }

    /** statx(2): the information of fstat(2), in a layout that is the same on every architecture. */
    static int statx(int fd, MemorySegment path, int flags, int mask, MemorySegment result) {
        return STATX.toInt(path, result, fd, path.address(), flags, mask, result.address());
    }

    /** fstatfs(2). */
    static int fstatfs(int fd, MemorySegment result) {
        return FSTATFS.toInt(result, fd, result.address(), 0, 0);
    }
}
