// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The ring-buffer pool (§3.3): hands out ring buffers, within a quota. It creates regions when they are needed, and
 * frees them when none of their rings is in use.
 *
 * <p>A region holds rings of one size. One pool serves one process: memory that a process has seen is never handed to
 * another, because a descriptor that was passed cannot be taken back. The pool of PD Lib holds send rings, the pool
 * that PD Driver keeps for a container holds its receive rings.
 *
 * <p>Not thread safe; its owner's lock or thread guards it. The pool owns its regions and closes them.
 */
public final class RingBufferPool implements AutoCloseable {
    /** Receives the creation and the end of regions; called from within the pool's methods. */
    public interface Listener {
        /**
         * A region was created.
         *
         * @param number its number; numbers are reused
         * @param region the region
         * @throws IOException if the region cannot be used; the pool then closes it, and its call fails
         */
        void created(int number, SharedRegion region) throws IOException;

        /**
         * A region is about to be closed; no ring of it is in use.
         *
         * @param number its number
         * @param region the region
         */
        void dropped(int number, SharedRegion region);
    }

    /** The smallest region, and so the smallest quota that allows any rings. */
    public static final long MIN_REGION = 2 << 20;

    private static final int SPARE_REGIONS = 1;

    private static final class Slab {
        final int number;
        final SharedRegion region;
        final int ringSize;
        final int rings;
        final BitSet used = new BitSet();

        /** Number of bytes from the start that are allocated. */
        long allocated;

        Slab(int number, SharedRegion region, int ringSize) {
            this.number = number;
            this.region = region;
            this.ringSize = ringSize;
            this.rings = (int) (region.size() / ringSize);
        }

        void allocate(long length) throws IOException {
            region.allocate(allocated, length);
            allocated += length;
        }
    }

    private final String name;
    private final long quota;
    private final boolean huge;
    private final Listener listener;
    private final Consumer<SharedRegion> closer;
    private final List<Slab> slabs = new ArrayList<>();
    private long allocatedBytes;
    private long bytesInUse;

    /**
     * Creates an empty pool.
     *
     * @param name of its regions, shown in /proc/PID/maps
     * @param quota most bytes of regions at a time
     * @param huge whether regions try 2 MB pages first
     * @param listener told of regions
     */
    public RingBufferPool(String name, long quota, boolean huge, Listener listener) {
        this(name, quota, huge, listener, SharedRegion::close);
    }

    /**
     * Creates an empty pool for a thread that must not spend time on unmapping when it gives a ring back.
     *
     * @param name of its regions, shown in /proc/PID/maps
     * @param quota most bytes of regions at a time
     * @param huge whether regions try 2 MB pages first
     * @param listener told of regions
     * @param closer closes unused regions soon
     */
    public RingBufferPool(String name, long quota, boolean huge, Listener listener, Consumer<SharedRegion> closer) {
        this.closer = closer;
        this.name = name;
        this.quota = quota;
        this.huge = huge;
        this.listener = listener;
    }

    /**
     * Takes a ring whose pages are allocated.
     *
     * @param size in bytes, one for which {@link RingBuffer#isSize} holds
     * @return the ring; its content is what the same process left in it
     * @throws QuotaExceededException if the quota does not allow another region
     * @throws IOException if the system has no memory or descriptors left
     */
    public RingBuffer take(int size) throws IOException {
        if (!RingBuffer.isSize(size)) {
            throw new IllegalArgumentException("ring size must be a power of two from " + RingBuffer.MIN_SIZE + " to "
                    + RingBuffer.MAX_SIZE + ": " + size);
        }
        Slab slab = null;
        for (Slab candidate : slabs) {
            if (candidate != null && candidate.ringSize == size && candidate.used.cardinality() < candidate.rings) {
                slab = candidate;
                break;
            }
        }
        return takeFrom(slab == null ? newSlab(size, size) : slab);
    }

    /**
     * Does a part of the work of {@link #take}, for a thread that must not spend the time to allocate a large ring at
     * once: allocates pages of the rings that will be taken next, at most {@code most} bytes.
     *
     * @param size of the rings, one for which {@link RingBuffer#isSize} holds
     * @param rings how many will be taken
     * @param besides size of other rings that are prepared at the same time, whose spare region is kept
     * @param most bytes to allocate, whole pages
     * @return whether the pages of all these rings are allocated
     * @throws QuotaExceededException if the quota does not allow another region
     * @throws IOException if the system has no memory or descriptors left
     */
    public boolean prepare(int size, int rings, int besides, long most) throws IOException {
        int ready = 0;
        for (int i = 0; i < slabs.size(); i++) {
            Slab slab = slabs.get(i);
            if (slab == null || slab.ringSize != size) {
                continue;
            }
            for (int next = slab.used.nextClearBit(0); next < slab.rings; next = slab.used.nextClearBit(next + 1)) {
                long missing = (next + 1L) * size - slab.allocated;
                if (missing > 0) {
                    slab.allocate(Math.min(missing, most));
                    return missing <= most && ready + 1 == rings;
                }
                if (++ready == rings) {
                    return true;
                }
            }
        }
        newSlab(size, besides);
        return false;
    }

    private RingBuffer takeFrom(Slab slab) throws IOException {
        int index = slab.used.nextClearBit(0);
        long offset = (long) index * slab.ringSize;
        if (slab.allocated < offset + slab.ringSize) {
            slab.allocate(offset + slab.ringSize - slab.allocated);
        }
        slab.used.set(index);
        bytesInUse += slab.ringSize;
        return new RingBuffer(
                slab.number, offset, slab.ringSize, slab.region.memory().asSlice(offset, slab.ringSize));
    }

    private Slab newSlab(int size, int besides) throws IOException {
        long length = Math.max(MIN_REGION, size);
        if (allocatedBytes + length > quota) {
            dropSpares(besides);
        }
        if (allocatedBytes + length > quota) {
            throw new QuotaExceededException(name + ": " + allocatedBytes + " bytes of ring buffers in use, another "
                    + length + " exceed the quota of " + quota);
        }
        int number = slabs.indexOf(null) < 0 ? slabs.size() : slabs.indexOf(null);
        SharedRegion region = SharedRegion.create(name, length, huge);
        try {
            listener.created(number, region);
        } catch (IOException | RuntimeException e) {
            region.close();
            throw e;
        }
        Slab slab = new Slab(number, region, size);
        if (number == slabs.size()) {
            slabs.add(slab);
        } else {
            slabs.set(number, slab);
        }
        allocatedBytes += region.size();
        return slab;
    }

    /**
     * Gives a ring back, which must no longer be in use.
     *
     * @param ring from {@link #take}
     * @throws IllegalStateException if it was given back before
     */
    public void give(RingBuffer ring) {
        Slab slab = ring.region() < slabs.size() ? slabs.get(ring.region()) : null;
        int index = (int) (ring.offset() / ring.size());
        if (slab == null || slab.ringSize != ring.size() || !slab.used.get(index)) {
            throw new IllegalStateException("ring given back twice: " + ring);
        }
        slab.used.clear(index);
        bytesInUse -= ring.size();
        if (slab.used.isEmpty() && emptySlabs() > SPARE_REGIONS) {
            drop(slab);
        }
    }

    /** Drops spare regions of other ring sizes, so that they do not exhaust the quota. */
    private void dropSpares(int kept) {
        for (Slab slab : slabs.stream().filter(Objects::nonNull).toList()) {
            if (slab.used.isEmpty() && slab.ringSize != kept) {
                drop(slab);
            }
        }
    }

    private int emptySlabs() {
        int count = 0;
        for (Slab slab : slabs) {
            count += slab != null && slab.used.isEmpty() ? 1 : 0;
        }
        return count;
    }

    private void drop(Slab slab) {
        listener.dropped(slab.number, slab.region);
        slabs.set(slab.number, null);
        allocatedBytes -= slab.region.size();
        closer.accept(slab.region);
    }

    /**
     * Total size of the rings that were taken and not given back.
     *
     * @return in bytes
     */
    public long bytesInUse() {
        return bytesInUse;
    }

    /**
     * Total size of all regions, in use or spare.
     *
     * @return in bytes
     */
    public long allocatedBytes() {
        return allocatedBytes;
    }

    /**
     * Closes one region, even if its rings are in use: a step of {@link #close}.
     *
     * @return false if there was none left
     */
    public boolean closeOne() {
        while (!slabs.isEmpty()) {
            Slab last = slabs.getLast();
            if (last != null) {
                drop(last);
            }
            slabs.removeLast();
            if (last != null) {
                return true;
            }
        }
        bytesInUse = 0;
        return false;
    }

    /** Closes every region, even those with rings in use. */
    @Override
    public void close() {
        while (closeOne()) {
            // Repeat until none is left.
        }
    }
}
