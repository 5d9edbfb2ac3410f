// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Memory that processes share: memory files, their seals and their mappings.
 *
 * <p>All methods may be called by any thread. Sizes, offsets and lengths are in bytes.
 */
public final class Memory {
    /** F_SEAL_SEAL: no further seals. */
    public static final int SEAL_SEAL = 0x1;

    /** F_SEAL_SHRINK: the file cannot be made smaller, which would turn accesses to a mapping into SIGBUS. */
    public static final int SEAL_SHRINK = 0x2;

    /** F_SEAL_GROW: the file cannot be made larger. */
    public static final int SEAL_GROW = 0x4;

    /** F_SEAL_WRITE: the file cannot be written, and has no writable mapping. */
    public static final int SEAL_WRITE = 0x8;

    /** F_SEAL_FUTURE_WRITE: the file can be written only through mappings that exist already. */
    public static final int SEAL_FUTURE_WRITE = 0x10;

    /** MADV_DONTFORK: a child process does not get these pages. */
    public static final int ADVISE_DONTFORK = 10;

    /** MADV_DONTDUMP: leave these pages out of a core dump. */
    public static final int ADVISE_DONTDUMP = 16;

    private static final long HUGETLBFS_MAGIC = 0x958458f6L;
    private static final int MODE_TYPE = 0170000;
    private static final int MODE_REGULAR = 0100000;

    /** Large files are allocated in steps, because fallocate(2) starts from the beginning after a signal. */
    private static final long ALLOCATE_STEP = 64L << 20;

    private Memory() {}

    /** The size of the pages of a memory file. */
    public enum PageSize {
        /** The system's base page, 4 KB on x86-64. */
        NORMAL,
        /** 2 MB, from the pages that the administrator reserved for hugetlbfs. */
        HUGE_2MB;

        /**
         * The size of one page.
         *
         * @return bytes
         */
        public long bytes() {
            return this == NORMAL ? pageSize() : 2L << 20;
        }
    }

    /**
     * The status of a file, as from fstat(2).
     *
     * @param size in bytes
     * @param allocatedBytes of memory or disk that the file holds, also behind its end; see {@link FilePages}
     * @param regular whether it is a regular file; memory files are
     * @param blockSize preferred for I/O, in bytes; the page size of a hugetlb file
     * @param inode that no other file of its file system has; all memory files are in one
     */
    public record FileStatus(long size, long allocatedBytes, boolean regular, long blockSize, long inode) {}

    /**
     * Creates an empty memory file that can be sealed, memfd_create(2), close-on-exec.
     *
     * @param name for /proc/PID/maps and diagnostics, at most 249 bytes
     * @param pages HUGE_2MB succeeds even if no huge page is free; then {@link #allocate} or {@link #map} fails
     * @return the file, for the caller to close; mappings stay
     * @throws LinuxException EMFILE, ENFILE, ENOMEM; with huge pages also ENOSYS, ENODEV, EINVAL or EPERM where the
     *     kernel has none
     */
    public static Fd memfd(String name, PageSize pages) throws LinuxException {
        int flags = MemoryCalls.MFD_CLOEXEC | MemoryCalls.MFD_ALLOW_SEALING;
        if (pages == PageSize.HUGE_2MB) {
            flags |= MemoryCalls.MFD_HUGETLB | MemoryCalls.MFD_HUGE_2MB;
        }
        try (Arena arena = Arena.ofConfined()) {
            int fd = MemoryCalls.memfdCreate(Foreign.string(arena, name), flags);
            return Fd.own(LinuxException.check("memfd_create", fd));
        }
    }

    /**
     * The size of a file's pages.
     *
     * @param fd a file
     * @return HUGE_2MB for a memory file or hugetlbfs file of 2 MB pages, otherwise NORMAL
     * @throws LinuxException EBADF after close, EINVAL for pages of any other size
     */
    public static PageSize pages(Fd fd) throws LinuxException {
        long unit = mappingUnit(fd);
        if (unit == PageSize.HUGE_2MB.bytes()) {
            return PageSize.HUGE_2MB;
        }
        if (unit != pageSize()) {
            throw new LinuxException("mmap", Errno.EINVAL, "pages of " + unit + " bytes");
        }
        return PageSize.NORMAL;
    }

    /**
     * Sets the size of a file, ftruncate(2). New bytes are zero and take no memory yet.
     *
     * @param fd   a file
     * @param size for huge pages a multiple of their size
     * @throws LinuxException EPERM when a seal forbids it, EINVAL
     */
    public static void resize(Fd fd, long size) throws LinuxException {
        int number = fd.acquire();
        try {
            int result;
            do {
                result = MemoryCalls.ftruncate(number, size);
            } while (result == -Errno.EINTR);
            LinuxException.check("ftruncate", result);
        } finally {
            fd.release();
        }
    }

    /**
     * Allocates pages of a file, fallocate(2), so that no later access ends in SIGBUS. A failure may leave a part
     * allocated.
     *
     * @param fd a file
     * @param offset first byte
     * @param length more than 0; the file grows if it ends before offset + length
     * @throws LinuxException ENOSPC or ENOMEM when there is not enough memory (or not enough free huge pages), EPERM
     *     when a seal forbids it
     */
    public static void allocate(Fd fd, long offset, long length) throws LinuxException {
        if (offset < 0 || length <= 0 || offset + length < 0) {
            throw new IllegalArgumentException("offset " + offset + ", length " + length);
        }
        int number = fd.acquire();
        try {
            long done = 0;
            while (done < length) {
                long step = Math.min(length - done, ALLOCATE_STEP);
                int result = MemoryCalls.fallocate(number, 0, offset + done, step);
                if (result == -Errno.EINTR) {
                    continue;
                }
                LinuxException.check("fallocate", result);
                done += step;
            }
        } finally {
            fd.release();
        }
    }

    /**
     * Adds seals to a memory file for ever, fcntl(2), F_ADD_SEALS.
     *
     * @param fd    a memory file
     * @param seals SEAL_ constants, or-ed
     * @throws LinuxException EBUSY for SEAL_WRITE while a writable mapping exists, EPERM after SEAL_SEAL, EINVAL when
     *     it is not a memory file
     */
    public static void addSeals(Fd fd, int seals) throws LinuxException {
        control(fd, FileCalls.F_ADD_SEALS, seals, "fcntl(F_ADD_SEALS)");
    }

    /**
     * The seals of a memory file, fcntl(2), F_GET_SEALS.
     *
     * @param fd a memory file, possibly from another process
     * @return SEAL_ constants, or-ed
     * @throws LinuxException EINVAL when it is not a memory file
     */
    public static int seals(Fd fd) throws LinuxException {
        return control(fd, FileCalls.F_GET_SEALS, 0, "fcntl(F_GET_SEALS)");
    }

    private static int control(Fd fd, int command, int argument, String call) throws LinuxException {
        int number = fd.acquire();
        try {
            return LinuxException.check(call, FileCalls.fcntl(number, command, argument));
        } finally {
            fd.release();
        }
    }

    /**
     * Copies a part of a file, pread(2). Unlike an access to mapped memory it never allocates a page of a memory file,
     * and never faults.
     *
     * @param fd a file
     * @param offset in the file, in bytes
     * @param into native memory; all of it is filled
     * @throws LinuxException EIO if the file ends before that, EBADF after close
     */
    public static void read(Fd fd, long offset, MemorySegment into) throws LinuxException {
        int number = fd.acquire();
        try {
            long read = FileCalls.pread(number, into, into.byteSize(), offset);
            if (LinuxException.check("pread", read) != into.byteSize()) {
                throw new LinuxException("pread", Errno.EIO, "a file that is too short");
            }
        } finally {
            fd.release();
        }
    }

    /**
     * The status of a file, as of fstat(2).
     *
     * @param fd any descriptor
     * @return its status
     * @throws LinuxException EBADF after close
     */
    public static FileStatus status(Fd fd) throws LinuxException {
        int number = fd.acquire();
        try {
            return status(number);
        } finally {
            fd.release();
        }
    }

    private static FileStatus status(int fd) throws LinuxException {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment buffer = scratch.zeroed();
            // An empty path with AT_EMPTY_PATH means the descriptor itself. statx is in glibc since 2.28, fstat since
            // 2.33.
            int result = FileCalls.statx(
                    fd, StatLayout.EMPTY_PATH, FileCalls.AT_EMPTY_PATH, FileCalls.STATX_BASIC_STATS, buffer);
            LinuxException.check("statx", result);
            int mode = Short.toUnsignedInt(buffer.get(StatLayout.SHORT, StatLayout.STX_MODE));
            return new FileStatus(
                    buffer.get(Native.LONG, StatLayout.STX_SIZE),
                    buffer.get(Native.LONG, StatLayout.STX_BLOCKS) * 512,
                    (mode & MODE_TYPE) == MODE_REGULAR,
                    Integer.toUnsignedLong(buffer.get(Native.INT, StatLayout.STX_BLKSIZE)),
                    buffer.get(Native.LONG, StatLayout.STX_INO));
        }
    }

    /** The unit of the offset and the length of a mapping. */
    private static long mappingUnit(Fd fd) throws LinuxException {
        int number = fd.acquire();
        try {
            return mappingUnit(number);
        } finally {
            fd.release();
        }
    }

    private static long mappingUnit(int fd) throws LinuxException {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment buffer = scratch.zeroed();
            LinuxException.check("fstatfs", FileCalls.fstatfs(fd, buffer));
            boolean huge = buffer.get(Native.LONG, StatLayout.F_TYPE) == HUGETLBFS_MAGIC;
            return huge ? buffer.get(Native.LONG, StatLayout.F_BSIZE) : pageSize();
        }
    }

    /**
     * Maps a part of a file, mmap(2), MAP_SHARED.
     *
     * <p>The size is checked once, here. Before mapping another process's file the caller must have checked that it has
     * SEAL_SHRINK, because a file that shrinks later turns every access into a SIGBUS.
     *
     * @param fd a file, which may be closed afterwards
     * @param offset a multiple of the file's page size
     * @param length more than 0 and within the file; a multiple of the page size
     * @param writable whether the memory can be written; otherwise the segment is read-only
     * @param arena unmaps when it is closed, and so determines which threads may close and use the memory
     * @return the memory
     * @throws LinuxException EINVAL when the file is smaller, EPERM or EACCES when a seal or the open mode forbids it,
     *     ENOMEM when there are not enough huge pages or too many mappings
     */
    @SuppressWarnings("restricted")
    public static MemorySegment map(Fd fd, long offset, long length, boolean writable, Arena arena)
            throws LinuxException {
        if (offset < 0 || length <= 0 || offset + length < 0) {
            throw new IllegalArgumentException("offset " + offset + ", length " + length);
        }
        int number = fd.acquire();
        long address;
        try {
            long unit = mappingUnit(number);
            if (offset % unit != 0 || length % unit != 0) {
                throw new IllegalArgumentException(String.format(
                        Locale.ROOT,
                        "offset %d and length %d must be multiples of the page size %d",
                        offset,
                        length,
                        unit));
            }
            long size = status(number).size();
            if (size < offset + length) {
                throw new LinuxException(
                        "mmap", Errno.EINVAL, "the file has " + size + " bytes, not " + (offset + length));
            }
            int protection = MemoryCalls.PROT_READ | (writable ? MemoryCalls.PROT_WRITE : 0);
            address = LinuxException.check(
                    "mmap", MemoryCalls.mmap(length, protection, MemoryCalls.MAP_SHARED, number, offset));
        } finally {
            fd.release();
        }
        MemorySegment memory;
        try {
            memory = MemorySegment.ofAddress(address).reinterpret(length, arena, new Unmapping(length));
        } catch (Throwable e) {
            unmap(address, length);
            throw e;
        }
        return writable ? memory : memory.asReadOnly();
    }

    /** Unmaps when an arena closes. This is a class because a starting JVM loads it faster than it links a lambda. */
    private record Unmapping(long length) implements Consumer<MemorySegment> {
        @Override
        public void accept(MemorySegment mapped) {
            unmap(mapped.address(), length);
        }
    }

    private static void unmap(long address, long length) {
        int result = MemoryCalls.munmap(address, length);
        if (result < 0) {
            throw new IllegalStateException(new LinuxException("munmap", -result));
        }
    }

    /**
     * Allocates the pages of a file that a mapping shows, and fills the mapping's page tables. A page that is only
     * allocated does not count as there for a process that cannot call cachestat(2): see {@link FilePages}.
     *
     * @param fd a file
     * @param offset of the mapped part in the file
     * @param memory all of a mapping, or a part that begins on a page
     * @throws LinuxException as for {@link #allocate(Fd, long, long)} and {@link #populate}
     */
    public static void allocate(Fd fd, long offset, MemorySegment memory) throws LinuxException {
        allocate(fd, offset, memory.byteSize());
        populate(memory, !memory.isReadOnly());
    }

    /**
     * Fills the page tables of a mapping now, MADV_POPULATE_READ or MADV_POPULATE_WRITE.
     *
     * @param memory all of a mapping, or a part that begins on a page
     * @param write whether the pages are about to be written
     * @throws LinuxException EINVAL before Linux 5.14 or when the mapping is not writable, ENOMEM or EFAULT when pages
     *     cannot be allocated
     */
    public static void populate(MemorySegment memory, boolean write) throws LinuxException {
        advise(memory, write ? MemoryCalls.MADV_POPULATE_WRITE : MemoryCalls.MADV_POPULATE_READ);
    }

    /**
     * Gives the kernel advice about a mapping, madvise(2).
     *
     * @param memory all of a mapping, or a part that begins on a page
     * @param advice an ADVISE_ constant
     * @throws LinuxException EINVAL where the kernel or the mapping does not support it
     */
    public static void advise(MemorySegment memory, int advice) throws LinuxException {
        int result;
        do {
            result = MemoryCalls.madvise(memory, advice);
        } while (result == -Errno.EINTR);
        LinuxException.check("madvise", result);
    }

    /**
     * The size of a base page.
     *
     * @return bytes
     */
    public static long pageSize() {
        return StatLayout.PAGE_SIZE;
    }

    /**
     * Rounds a length up to whole base pages.
     *
     * @param length in bytes, 0 or more
     * @return in bytes, a multiple of {@link #pageSize}
     */
    public static long wholePages(long length) {
        return length + pageSize() - 1 & -pageSize();
    }
}
