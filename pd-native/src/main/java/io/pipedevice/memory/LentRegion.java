// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * A memory object (memfd) that one process owns and a driver may write, too.
 *
 * <p>The owner creates it, allocates its pages, which are charged to it, and seals it against shrinking and growing.
 * The driver maps it writable, and then adds the seals of a {@link SharedRegion}: from then on no process can map it
 * writable, remove a page, or add a seal. Only then the driver checks, part by part, that all pages are there
 * ({@link #populateAllocated}). So an access by the driver never faults, and takes no memory of the driver. A later
 * mapping of the descriptor can only read.
 *
 * <p>Thread safe. {@link #close} unmaps; a thread that accesses the memory meanwhile or afterwards gets an
 * {@link IllegalStateException}, never a fault.
 */
public final class LentRegion implements AutoCloseable {
    private static final int OWNERS_SEALS = Memory.SEAL_SHRINK | Memory.SEAL_GROW;
    private static final int FORBIDDEN_SEALS = Memory.SEAL_WRITE | Memory.SEAL_FUTURE_WRITE | Memory.SEAL_SEAL;

    private final Fd fd;
    private final Arena arena;
    private final MemorySegment memory;

    private LentRegion(Fd fd, Arena arena, MemorySegment memory) {
        this.fd = fd;
        this.arena = arena;
        this.memory = memory;
    }

    /**
     * Creates a region of this process: zeroed, allocated, mapped writable, sealed so far that a driver accepts it.
     *
     * @param name shown in /proc/PID/maps
     * @param size in bytes; rounded up to whole pages
     * @return the region
     * @throws LinuxException if memory or descriptors are exhausted
     */
    public static LentRegion create(String name, long size) throws IOException {
        long length = Memory.wholePages(size);
        Fd fd = Memory.memfd(name, Memory.PageSize.NORMAL);
        Arena arena = Arena.ofShared();
        try {
            Memory.resize(fd, length);
            MemorySegment memory = Memory.map(fd, 0, length, true, arena);
            Memory.allocate(fd, 0, memory);
            Memory.addSeals(fd, OWNERS_SEALS);
            return new LentRegion(fd, arena, memory);
        } catch (IOException | RuntimeException | Error e) {
            arena.close();
            fd.close();
            throw e;
        }
    }

    /**
     * Maps another process's region writable and seals it, after checking that it is a memory object of the size that
     * its owner states. No part of it may be used before {@link #populateAllocated}.
     *
     * @param fd the descriptor as it was received; this takes ownership, even if it fails
     * @param size the size that the owner states, in bytes
     * @param closer gets the descriptor if it is refused: closing an object that is not a memory object can block
     * @return the region
     * @throws IOException if the object breaks a rule, which the message names
     */
    public static LentRegion accept(Fd fd, long size, Consumer<Fd> closer) throws IOException {
        Arena arena = Arena.ofShared();
        try {
            int seals = Memory.seals(fd);
            if ((seals & OWNERS_SEALS) != OWNERS_SEALS || (seals & FORBIDDEN_SEALS) != 0) {
                throw new IOException("memory object is not sealed as it must be: seals 0x" + Integer.toHexString(seals)
                        + ", required 0x" + Integer.toHexString(OWNERS_SEALS));
            }
            SharedRegion.checkSize(fd, size);
            MemorySegment memory = Memory.map(fd, 0, size, true, arena);
            Memory.addSeals(fd, SharedRegion.REQUIRED_SEALS);
            return new LentRegion(fd, arena, memory);
        } catch (IOException | RuntimeException | Error e) {
            arena.close();
            closer.accept(fd);
            throw e;
        }
    }

    /**
     * Checks that the owner has allocated a part, and fills its page tables, so that later accesses take no page
     * faults.
     *
     * @param offset of the part, in bytes
     * @param length of the part, in bytes
     * @throws IOException if pages are missing
     */
    public void populateAllocated(long offset, long length) throws IOException {
        SharedRegion.checkAllocated(fd, offset, length);
        Memory.populate(memory.asSlice(offset, length), true);
    }

    /**
     * The mapped memory, writable.
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
     * The descriptor, for passing it to another process. This region owns and closes it.
     *
     * @return open until {@link #closeDescriptor} or {@link #close}
     */
    public Fd fd() {
        return fd;
    }

    /** Closes only the descriptor, after it was passed; the memory stays mapped. */
    public void closeDescriptor() {
        fd.close();
    }

    /** Unmaps the memory and closes the descriptor. A second call does nothing. */
    @Override
    public void close() {
        SharedRegion.closeArena(arena);
        fd.close();
    }
}
