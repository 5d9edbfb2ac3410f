// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.FilePages;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * A memory object (memfd) that one process owns and other processes may only read.
 *
 * <p>The owner creates it, maps it writable, and seals it against shrinking, growing, further writable mappings and
 * further seals. Only then may its descriptor be passed. The receiver checks the seals and the size before mapping it:
 * if the object could shrink, an access could end in SIGBUS; if others could write it, it would not isolate the
 * processes. See memfd_create(2) and F_ADD_SEALS in fcntl(2).
 *
 * <p>Thread safe. {@link #close} unmaps; a thread that accesses the memory meanwhile or afterwards gets an
 * {@link IllegalStateException}, never a fault. The process that created or attached the object closes it.
 */
public final class SharedRegion implements AutoCloseable {
    /** The operation of {@link #map}, or a test's substitute. */
    @FunctionalInterface
    public interface Mapper {
        /**
         * Maps an object that was checked.
         *
         * @param fd a descriptor that was checked; this takes ownership unless it fails
         * @param size the size that was checked, in bytes
         * @return the region
         * @throws LinuxException ENOMEM, and others
         */
        SharedRegion map(Fd fd, long size) throws LinuxException;
    }

    /** The seals that a region carries before its descriptor is passed. */
    public static final int REQUIRED_SEALS =
            Memory.SEAL_SEAL | Memory.SEAL_SHRINK | Memory.SEAL_GROW | Memory.SEAL_FUTURE_WRITE;

    private final Fd fd;
    private final Arena arena;
    private final MemorySegment memory;
    private final Memory.PageSize pageSize;

    private SharedRegion(Fd fd, Arena arena, MemorySegment memory, Memory.PageSize pageSize) {
        this.fd = fd;
        this.arena = arena;
        this.memory = memory;
        this.pageSize = pageSize;
    }

    /**
     * Creates a region of this process: zeroed, mapped writable, sealed.
     *
     * @param name shown in /proc/PID/maps
     * @param size in bytes; rounded up to whole pages
     * @param huge whether to try 2 MB pages first; {@link #pageSize} returns the result. Huge pages are reserved at
     *     once. Other pages are allocated by {@link #allocate} before they are used
     * @return the region
     * @throws LinuxException if memory or descriptors are exhausted
     */
    public static SharedRegion create(String name, long size, boolean huge) throws IOException {
        if (huge && size % Memory.PageSize.HUGE_2MB.bytes() == 0) {
            try {
                return create(name, size, Memory.PageSize.HUGE_2MB);
            } catch (LinuxException e) {
                // No huge page is free or none was ever reserved. Normal pages also work, but are slower.
                return create(name, size, Memory.PageSize.NORMAL);
            }
        }
        return create(name, size, Memory.PageSize.NORMAL);
    }

    private static SharedRegion create(String name, long size, Memory.PageSize pages) throws IOException {
        long length = size + pages.bytes() - 1 & -pages.bytes();
        Fd fd = Memory.memfd(name, pages);
        Arena arena = Arena.ofShared();
        try {
            Memory.resize(fd, length);
            if (pages == Memory.PageSize.HUGE_2MB) {
                Memory.allocate(fd, 0, length);
            }
            MemorySegment memory = Memory.map(fd, 0, length, true, arena);
            Memory.addSeals(fd, REQUIRED_SEALS);
            return new SharedRegion(fd, arena, memory, pages);
        } catch (IOException | RuntimeException | Error e) {
            arena.close();
            fd.close();
            throw e;
        }
    }

    /**
     * Maps another process's region read-only, after checking that it is a sealed memory object of the size that its
     * owner claims.
     *
     * @param fd the descriptor as it was received; this takes ownership, even if it fails
     * @param size the size that the owner states, in bytes
     * @return the region
     * @throws IOException if the object breaks a rule, which the message names
     */
    public static SharedRegion attach(Fd fd, long size) throws IOException {
        return attach(fd, size, Fd::close);
    }

    /**
     * Like {@link #attach(Fd, long)}, for a thread that must not wait for the sender of the descriptor.
     *
     * @param fd the descriptor as it was received; this takes ownership, even if it fails
     * @param size the size that the owner states, in bytes
     * @param closer gets the descriptor if it is refused: closing an object that is not a memory object can block
     * @return the region
     * @throws IOException if the object breaks a rule, which the message names
     */
    public static SharedRegion attach(Fd fd, long size, Consumer<Fd> closer) throws IOException {
        try {
            check(fd, size);
            return map(fd, size);
        } catch (IOException | RuntimeException | Error e) {
            closer.accept(fd);
            throw e;
        }
    }

    /**
     * The first half of {@link #attach(Fd, long)}, after which the descriptor is known to be that of a memory object.
     *
     * @param fd the descriptor as it was received; the caller keeps ownership
     * @param size the size that the owner states, in bytes
     * @throws IOException if the object breaks a rule, which the message names
     */
    public static void check(Fd fd, long size) throws IOException {
        int seals = Memory.seals(fd);
        if ((seals & REQUIRED_SEALS) != REQUIRED_SEALS) {
            throw new IOException("memory object is not sealed as it must be: seals 0x" + Integer.toHexString(seals)
                    + ", required 0x" + Integer.toHexString(REQUIRED_SEALS));
        }
        checkSize(fd, size);
    }

    /** Checks that a memory object has the size that its owner states, and consists of whole pages. */
    static void checkSize(Fd fd, long size) throws IOException {
        Memory.FileStatus status = Memory.status(fd);
        if (size <= 0 || status.size() != size) {
            throw new IOException("memory object has " + status.size() + " bytes, its owner says " + size);
        }
        // ftruncate(2) refuses such a size for a file of huge pages, but fallocate(2) allows it.
        long page = Memory.pages(fd).bytes();
        if (size % page != 0) {
            throw new IOException("memory object has " + size + " bytes, not a multiple of its page size " + page);
        }
    }

    /**
     * Checks that the owner has allocated all pages of a memory object. A missing page would be allocated by the
     * process that reads it first, and charged to that process. Once the object is sealed, no process can remove pages.
     *
     * @param fd a descriptor that was checked; the caller keeps ownership
     * @param size the size that was checked, in bytes
     * @throws IOException if pages are missing; the message says how many bytes
     */
    public static void checkAllocated(Fd fd, long size) throws IOException {
        checkAllocated(fd, 0, size);
    }

    /** Checks the same of a part of an object. */
    static void checkAllocated(Fd fd, long offset, long length) throws IOException {
        long missing = FilePages.missing(fd, offset, length);
        if (missing > 0) {
            throw new IOException(
                    "the owner of a memory object has not allocated " + missing + " of " + length + " bytes");
        }
    }

    /**
     * The second half of {@link #attach(Fd, long)}. It fails if memory or mappings are exhausted, and can be tried
     * again.
     *
     * @param fd a descriptor that was checked; this takes ownership unless it fails
     * @param size the size that was checked, in bytes
     * @return the region
     * @throws LinuxException ENOMEM, and others if the size is not a multiple of whole pages
     */
    public static SharedRegion map(Fd fd, long size) throws LinuxException {
        Arena arena = Arena.ofShared();
        try {
            MemorySegment memory = Memory.map(fd, 0, size, false, arena);
            return new SharedRegion(fd, arena, memory, Memory.pages(fd));
        } catch (LinuxException | RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    /**
     * Makes sure that the pages of a part exist, so that a lack of memory is an exception here and not a signal later.
     *
     * @param offset of the part, in bytes
     * @param length of the part, in bytes
     * @throws LinuxException if there is no memory
     */
    public void allocate(long offset, long length) throws IOException {
        Memory.allocate(fd, offset, length);
        Memory.populate(memory.asSlice(offset, length), !memory.isReadOnly());
    }

    /**
     * Makes sure that a part of another process's region can be read without a fault: allocates the pages that its
     * owner did not allocate, or fails. Only for an owner that is trusted with this process's memory; otherwise see
     * {@link #populateAllocated}.
     *
     * @param offset of the part, in bytes
     * @param length of the part, in bytes
     * @throws LinuxException if there is no memory
     */
    public void populate(long offset, long length) throws IOException {
        Memory.populate(memory.asSlice(offset, length), false);
    }

    /**
     * Makes sure that a part of another process's region can be read without a fault, and allocates no page for it.
     *
     * @param offset of the part, in bytes
     * @param length of the part, in bytes
     * @throws IOException if the owner has not allocated the part
     */
    public void populateAllocated(long offset, long length) throws IOException {
        checkAllocated(fd, offset, length);
        populate(offset, length);
    }

    /**
     * Whether the pages of a part of another process's region exist: a page that its owner did not allocate would be
     * charged to the process that touches it first. This never waits for the owner. A sealed region
     * ({@link #REQUIRED_SEALS}) loses no page afterwards.
     *
     * @param offset of the part, in bytes
     * @param length of the part, in bytes
     * @return whether {@link #populate} allocates nothing
     * @throws LinuxException EBADF after {@link #closeDescriptor}, EPERM if the owner forbids the question
     */
    public boolean isAllocated(long offset, long length) throws LinuxException {
        return FilePages.missing(fd, offset, length) == 0;
    }

    /**
     * The mapped memory: writable if this process owns it, else read-only.
     *
     * @return alive until {@link #close}
     */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * The length of the memory.
     *
     * @return in bytes, whole pages
     */
    public long size() {
        return memory.byteSize();
    }

    /**
     * The kind of the region's pages.
     *
     * @return normal or huge
     */
    public Memory.PageSize pageSize() {
        return pageSize;
    }

    /**
     * The descriptor, for passing it to another process. This region owns and closes it.
     *
     * @return open until {@link #closeDescriptor} or {@link #close}
     */
    public Fd fd() {
        return fd;
    }

    /** Closes only the descriptor, after it was passed or is no longer needed; the memory stays mapped. */
    public void closeDescriptor() {
        fd.close();
    }

    /** Unmaps the memory and closes the descriptor. A second call does nothing. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            closeArena(arena);
            fd.close();
        }
    }

    /**
     * Closes a shared arena, waiting for a system call that is using its memory in another thread to return.
     *
     * @param arena shared; closed when this returns, by this call or by another thread's
     */
    public static void closeArena(Arena arena) {
        while (arena.scope().isAlive()) {
            try {
                arena.close();
            } catch (IllegalStateException e) {
                Thread.onSpinWait();
            }
        }
    }
}
