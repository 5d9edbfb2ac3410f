// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The pages that a memory file of another process has. A process that reads a missing page through a mapping allocates
 * it, and its control group is charged for it, until the last process closes the file.
 *
 * <p>The blocks of a file's status do not answer that: pages behind its end count among them, and its owner may free
 * these at any time. lseek(2) and ftruncate(2) wait for the lock of the file, which its owner can hold for as long as
 * it likes while a write(2) waits for memory that the owner supplies. So cachestat(2) answers, without a lock: a page
 * that was swapped out counts, and so does one that was allocated and never written. Before Linux 6.5, and where a
 * filter refuses that call, mincore(2) does, which counts only pages that were written, and pread(2), which never
 * allocates one, fetches those from the swap device. For huge pages there are only the blocks; their files know no
 * write(2).
 *
 * <p>What counts once cannot be lost, if the file has the seals SEAL_SHRINK and SEAL_FUTURE_WRITE.
 */
public final class FilePages {
    private static final boolean HAS_CACHESTAT =
            MemoryCalls.cachestat(-1, MemorySegment.NULL, MemorySegment.NULL) == -Errno.EBADF;

    private static final int MODE_OTHERS_WRITE = 2;

    private FilePages() {}

    /**
     * The missing part of a part of a memory file.
     *
     * @param fd a memory file with SEAL_SHRINK, SEAL_GROW and SEAL_FUTURE_WRITE
     * @param offset of the part, in bytes
     * @param length of the part, in bytes, more than 0
     * @return 0 if all pages exist in which the part lies; otherwise a number of bytes, of a file of huge pages the
     *     length
     * @throws LinuxException EINVAL if the file has huge pages and is not open for writing, EPERM if the owner forbids
     *     the question, EBADF after close
     */
    public static long missing(Fd fd, long offset, long length) throws LinuxException {
        if (Memory.pages(fd) == Memory.PageSize.HUGE_2MB) {
            return hasHugePages(fd) ? 0 : length;
        }
        long begin = offset & -Memory.pageSize();
        long all = Memory.wholePages(offset + length) - begin;
        return all - (HAS_CACHESTAT ? cached(fd, begin, all) : resident(fd, begin, all));
    }

    /** The pages of a part that exist, in bytes. */
    private static long cached(Fd fd, long offset, long length) throws LinuxException {
        int number = fd.acquire();
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment range = scratch.zeroed();
            range.set(Native.LONG, 0, offset);
            range.set(Native.LONG, Long.BYTES, length);
            MemorySegment result = range.asSlice(2 * Long.BYTES);
            LinuxException.check("cachestat", MemoryCalls.cachestat(number, range, result));
            long inMemory = result.get(Native.LONG, 0);
            long swapped = result.get(Native.LONG, 3 * Long.BYTES);
            return (inMemory + swapped) * Memory.pageSize();
        } finally {
            fd.release();
        }
    }

    /** The same without cachestat(2). */
    static long resident(Fd fd, long offset, long length) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = Memory.map(fd, offset, length, false, arena);
            MemorySegment page = arena.allocate(Memory.pageSize());
            MemorySegment marks = arena.allocate(length / Memory.pageSize());
            requireTruth(fd);
            LinuxException.check("mincore", MemoryCalls.mincore(memory, marks));
            boolean swapped = false;
            for (long i = 0; i < marks.byteSize(); i++) {
                if (!isMarked(marks, i)) {
                    Memory.read(fd, offset + i * Memory.pageSize(), page);
                    swapped = true;
                }
            }
            if (swapped) {
                LinuxException.check("mincore", MemoryCalls.mincore(memory, marks));
            }
            requireTruth(fd);
            long count = 0;
            for (long i = 0; i < marks.byteSize(); i++) {
                count += isMarked(marks, i) ? 1 : 0;
            }
            return count * Memory.pageSize();
        }
    }

    private static boolean isMarked(MemorySegment marks, long page) {
        return (marks.get(ValueLayout.JAVA_BYTE, page) & 1) != 0;
    }

    /** mincore(2) reports all pages of a file that this user neither owns nor may write. */
    private static void requireTruth(Fd fd) throws LinuxException {
        int number = fd.acquire();
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment status = scratch.zeroed();
            int result = FileCalls.statx(
                    number, StatLayout.EMPTY_PATH, FileCalls.AT_EMPTY_PATH, FileCalls.STATX_BASIC_STATS, status);
            LinuxException.check("statx", result);
            if (status.get(Native.INT, StatLayout.STX_UID) != SystemCalls.effectiveUid()
                    && (status.get(StatLayout.SHORT, StatLayout.STX_MODE) & MODE_OTHERS_WRITE) == 0) {
                throw new LinuxException("mincore", Errno.EPERM, "its owner forbids the question which pages it has");
            }
        } finally {
            fd.release();
        }
    }

    /**
     * Whether a file has all of its huge pages, and none behind its end, which would count instead of a missing one.
     */
    private static boolean hasHugePages(Fd fd) throws LinuxException {
        Memory.FileStatus before = Memory.status(fd);
        if (before.allocatedBytes() != before.size()) {
            return false;
        }
        // Frees what lies behind the end; with the seals nothing comes after it.
        Memory.resize(fd, before.size());
        return Memory.status(fd).allocatedBytes() == before.size();
    }
}
