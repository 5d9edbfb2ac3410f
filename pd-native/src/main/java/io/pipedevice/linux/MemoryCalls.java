// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.MemorySegment;

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

    /** The number of cachestat(2), which is the same on all architectures; no C library has a function for it yet. */
    private static final int SYS_CACHESTAT = 451;

    private static final CFunction MEMFD_CREATE = CFunction.of("memfd_create");
    private static final CFunction FTRUNCATE = CFunction.of("ftruncate");
    private static final CFunction FALLOCATE = CFunction.of("fallocate");
    private static final CFunction MMAP = CFunction.of("mmap");
    private static final CFunction MUNMAP = CFunction.of("munmap");
    private static final CFunction MADVISE = CFunction.of("madvise");
    private static final CFunction MINCORE = CFunction.of("mincore");
    private static final CFunction SYSCALL = CFunction.of("syscall");

    private MemoryCalls() {}

    /** memfd_create(2). */
    static int memfdCreate(MemorySegment name, int flags) {
        return MEMFD_CREATE.toInt(name, name.address(), flags, 0, 0);
    }

    /** ftruncate(2). */
    static int ftruncate(int fd, long length) {
        return FTRUNCATE.toInt(fd, length, 0, 0);
    }

    /** fallocate(2). */
    static int fallocate(int fd, int mode, long offset, long length) {
        return FALLOCATE.toInt(fd, mode, offset, length);
    }

    /** mmap(2), at an address that the kernel chooses; user addresses are positive. */
    static long mmap(long length, int protection, int flags, int fd, long offset) {
        return MMAP.toLong(0, length, protection, flags, fd, offset);
    }

    /** munmap(2). */
    static int munmap(long address, long length) {
        return MUNMAP.toInt(address, length, 0, 0);
    }

    /** mincore(2), which writes a byte for each page. */
    static int mincore(MemorySegment memory, MemorySegment pages) {
        return MINCORE.toInt(memory, pages, memory.address(), memory.byteSize(), pages.address(), 0, 0);
    }

    /** cachestat(2): two words with the range's offset and length, and five words for the result. */
    static int cachestat(int fd, MemorySegment range, MemorySegment result) {
        return SYSCALL.toInt(range, result, SYS_CACHESTAT, fd, range.address(), result.address(), 0);
    }

    /** madvise(2). */
    static int madvise(MemorySegment memory, int advice) {
        return MADVISE.toInt(memory, memory.address(), memory.byteSize(), advice, 0);
    }
}
