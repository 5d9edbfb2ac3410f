// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;
import static io.pipedevice.linux.Native.LONG;
import static io.pipedevice.linux.Native.POINTER;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls on memory files and mappings. Negative results are errnos. */
final class MemoryCalls {
    static final int MFD_CLOEXEC = 1;
    static final int MFD_ALLOW_SEALING = 2;
    static final int MFD_HUGETLB = 4;
    static final int MFD_HUGE_2MB = 21 << 26;
    static final int PROT_READ = 1;
    static final int PROT_WRITE = 2;
    static final int MAP_SHARED = 1;
    static final int MADV_POPULATE_READ = 22;
    static final int MADV_POPULATE_WRITE = 23;

    private static final MethodHandle MEMFD_CREATE = Native.bind("memfd_create", INT, POINTER, INT);
    private static final MethodHandle FTRUNCATE = Native.bind("ftruncate", INT, INT, LONG);
    private static final MethodHandle FALLOCATE = Native.bind("fallocate", INT, INT, INT, LONG, LONG);
    private static final MethodHandle MMAP = Native.bind("mmap", LONG, LONG, LONG, INT, INT, INT, LONG);
    private static final MethodHandle MUNMAP = Native.bind("munmap", INT, LONG, LONG);
    private static final MethodHandle MADVISE = Native.bind("madvise", INT, POINTER, LONG, INT);

    private MemoryCalls() {}

    /** memfd_create(2). */
    static int memfdCreate(MemorySegment name, int flags) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) MEMFD_CREATE.invokeExact(state, name, flags), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** ftruncate(2). */
    static int ftruncate(int fd, long length) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) FTRUNCATE.invokeExact(state, fd, length), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** fallocate(2). */
    static int fallocate(int fd, int mode, long offset, long length) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) FALLOCATE.invokeExact(state, fd, mode, offset, length), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** mmap(2), at an address that the kernel chooses; user addresses are positive. */
    static long mmap(long length, int protection, int flags, int fd, long offset) {
        MemorySegment state = Scratch.state();
        try {
            long address = (long) MMAP.invokeExact(state, 0L, length, protection, flags, fd, offset);
            return Native.result(address, state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** munmap(2). */
    static int munmap(long address, long length) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) MUNMAP.invokeExact(state, address, length), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** madvise(2). */
    static int madvise(MemorySegment memory, int advice) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) MADVISE.invokeExact(state, memory, memory.byteSize(), advice), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }
}
