// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import io.pipedevice.linux.Memory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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
 * that PD Driver keeps for a process holds its receive rings.
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
         * Pages of a region are about to be allocated.
         *
         * @param bytes how much
         * @throws IOException if they may not be; the pool's call then fails
         */
        default void allocating(long bytes) throws IOException {}

        /**
         * Pages could not be allocated.
         *
         * @param bytes as {@link #allocating} got it
         */
        default void notAllocated(long bytes) {}

        /**
         * A region is about to be closed; no ring of it is in use.
         *
         * @param number its number
         * @param region the region
         * @param allocated bytes of its pages
         */
        void dropped(int number, SharedRegion region, long allocated);
    }

    /** The smallest region, and so the smallest quota that allows rings of any kind of page. */
    public static final long MIN_REGION = 2 << 20;

    private static final int SPARE_REGIONS = 1;

    /** Regions of one ring size, after which those that follow are twice as large: each takes a descriptor. */
    private static final int EQUAL_REGIONS = 8;

    private static final long MAX_REGION = 16 << 20;

    private static final class Slab {
        final int number;
        final SharedRegion region;
        final int ringSize;
        final int rings;
        final BitSet used = new BitSet();

        /** Number of bytes of each ring, from its start, that are allocated. */
        final int[] allocated;

        /** Whether all pages were allocated with the region. */
        final boolean isWhole;

        Slab(int number, SharedRegion region, int ringSize, boolean isWhole) {
            this.number = number;
            this.region = region;
            this.ringSize = ringSize;
            this.rings = (int) (region.size() / ringSize);
            this.allocated = new int[rings];
            this.isWhole = isWhole;
            if (isWhole) {
                Arrays.fill(allocated, ringSize);
            }
        }

        long allocatedBytes() {
            long sum = 0;
            for (int ring : allocated) {
                sum += ring;
            }
            return sum;
        }
    }

    private final String name;
    private final long quota;
    private final boolean huge;
    private final boolean wholeRegions;
    private final Listener listener;
    private final Consumer<SharedRegion> closer;
    private final List<Slab> slabs = new ArrayList<>();
    private long allocatedBytes;
    private long bytesInUse;

    /**
     * Creates an empty pool.
     *
     * @param name of its regions, shown in /proc/PID/maps
     * @param quota most bytes of pages at a time
     * @param huge whether regions try 2 MB pages first
     * @param listener is notified of regions
     */
    public RingBufferPool(String name, long quota, boolean huge, Listener listener) {
        this(name, quota, huge, false, listener, SharedRegion::close);
    }

    /**
     * Creates an empty pool for a thread that must not spend time on unmapping when it gives a ring back.
     *
     * @param name of its regions, shown in /proc/PID/maps
     * @param quota most bytes of pages at a time
     * @param huge whether regions try 2 MB pages first
     * @param wholeRegions whether all pages of a region are allocated and counted with it, because the listener's
     *     device would allocate them
     * @param listener is notified of regions
     * @param closer closes unused regions soon
     */
    public RingBufferPool(
            String name,
            long quota,
            boolean huge,
            boolean wholeRegions,
            Listener listener,
            Consumer<SharedRegion> closer) {
        this.closer = closer;
        this.name = name;
        this.quota = quota;
        this.huge = huge;
        this.wholeRegions = wholeRegions;
        this.listener = listener;
    }

    /**
     * Takes a ring whose first pages are allocated.
     *
     * @param size in bytes, one for which {@link RingBuffer#isSize} holds
     * @param start bytes from the ring's beginning that are used at first, 1 to {@code size}; {@link #grow} adds to
     *     them
     * @return the ring; its content is what the same process left in it
     * @throws QuotaExceededException if the quota does not allow more pages
     * @throws IOException if the system has no memory or descriptors left
     */
    public RingBuffer take(int size, int start) throws IOException {
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
        return takeFrom(slab == null ? newSlab(size, size) : slab, start);
    }

    /**
     * Allocates more pages of a ring that was taken, and maps those that were on a swap device.
     *
     * @param ring from {@link #take}, not given back
     * @param from bytes from the ring's beginning that are in use
     * @param to how many shall be in use, at most the ring's size
     * @throws IOException if the quota does not allow it, or the system has no memory left
     */
    public void grow(RingBuffer ring, int from, int to) throws IOException {
        Slab slab = slabs.get(ring.region());
        int index = (int) (ring.offset() / ring.size());
        int earlier = Math.min(to, slab.allocated[index]) - from;
        if (earlier > 0) {
            slab.region.allocate(ring.offset() + from, earlier);
        }
        allocate(slab, index, to, to, ring.size());
    }

    /** Allocates pages of a ring, at most {@code most} bytes; returns whether its first {@code length} have pages. */
    private boolean allocate(Slab slab, int ring, int length, int most, int besides) throws IOException {
        int missing = length - slab.allocated[ring];
        if (missing > 0) {
            int step = Math.min(missing, most);
            charge(step, besides);
            boolean done = false;
            try {
                slab.region.allocate((long) ring * slab.ringSize + slab.allocated[ring], step);
                done = true;
            } finally {
                if (!done) {
                    refund(step);
                }
            }
            slab.allocated[ring] += step;
        }
        return missing <= most;
    }

    /** Counts bytes that are about to be allocated, if necessary after those of spare regions were given back. */
    private void charge(long bytes, int besides) throws IOException {
        if (allocatedBytes + bytes > quota) {
            dropSpares(besides);
        }
        if (allocatedBytes + bytes > quota) {
            throw new QuotaExceededException(name + ": " + allocatedBytes + " bytes of ring buffers in use, another "
                    + bytes + " exceed the quota of " + quota);
        }
        listener.allocating(bytes);
        allocatedBytes += bytes;
    }

    private void refund(long bytes) {
        allocatedBytes -= bytes;
        listener.notAllocated(bytes);
    }

    /**
     * Does a part of the work of {@link #take}, for a thread that must not spend the time to allocate a large ring at
     * once: allocates pages of the rings that will be taken next, at most {@code most} bytes.
     *
     * @param size of the rings, one for which {@link RingBuffer#isSize} holds
     * @param start bytes of each ring that are used at first
     * @param rings how many will be taken
     * @param besides size of other rings that are prepared at the same time, whose spare region is kept
     * @param most bytes to allocate, whole pages
     * @return whether the pages of all these rings are allocated
     * @throws QuotaExceededException if the quota does not allow another region
     * @throws IOException if the system has no memory or descriptors left
     */
    public boolean prepare(int size, int start, int rings, int besides, int most) throws IOException {
        int ready = 0;
        for (int i = 0; i < slabs.size(); i++) {
            Slab slab = slabs.get(i);
            if (slab == null || slab.ringSize != size) {
                continue;
            }
            for (int next = slab.used.nextClearBit(0); next < slab.rings; next = slab.used.nextClearBit(next + 1)) {
                if (slab.allocated[next] < start) {
                    return allocate(slab, next, start, most, besides) && ready + 1 == rings;
                }
                if (++ready == rings) {
                    return true;
                }
            }
        }
        newSlab(size, besides);
        return false;
    }

    private RingBuffer takeFrom(Slab slab, int start) throws IOException {
        int index = slab.used.nextClearBit(0);
        long offset = (long) index * slab.ringSize;
        allocate(slab, index, start, start, slab.ringSize);
        slab.used.set(index);
        bytesInUse += slab.ringSize;
        return new RingBuffer(
                slab.number, offset, slab.ringSize, slab.region.memory().asSlice(offset, slab.ringSize));
    }

    /** Creates a region; a smaller one if there is no room for the one that the number of rings suggests. */
    private Slab newSlab(int size, int besides) throws IOException {
        long smallest = Math.max(MIN_REGION, size);
        int regions = 0;
        for (Slab slab : slabs) {
            regions += slab != null && slab.ringSize == size && !slab.isWhole ? 1 : 0;
        }
        int doublings = Math.min(regions / EQUAL_REGIONS, Long.numberOfTrailingZeros(MAX_REGION / MIN_REGION));
        long length = Math.max(MIN_REGION << doublings, size);
        if (length > smallest) {
            try {
                return newSlab(size, besides, length, false);
            } catch (IOException e) {
                return newSlab(size, besides, smallest, huge);
            }
        }
        return newSlab(size, besides, smallest, huge);
    }

    private Slab newSlab(int size, int besides, long length, boolean tryHuge) throws IOException {
        if (allocatedBytes + size > quota) {
            // Before the region is created, because its number may be the one of a spare region.
            dropSpares(besides);
        }
        int number = slabs.indexOf(null) < 0 ? slabs.size() : slabs.indexOf(null);
        SharedRegion region = SharedRegion.create(name, length, tryHuge);
        boolean whole = wholeRegions || region.pageSize() == Memory.PageSize.HUGE_2MB;
        long charged = 0;
        boolean done = false;
        try {
            if (whole) {
                charge(region.size(), besides);
                charged = region.size();
                region.allocate(0, region.size());
            }
            listener.created(number, region);
            done = true;
        } finally {
            if (!done) {
                refund(charged);
                region.close();
            }
        }
        Slab slab = new Slab(number, region, size, whole);
        if (number == slabs.size()) {
            slabs.add(slab);
        } else {
            slabs.set(number, slab);
        }
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
        long allocated = slab.allocatedBytes();
        allocatedBytes -= allocated;
        listener.dropped(slab.number, slab.region, allocated);
        slabs.set(slab.number, null);
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
     * Pages of all regions, in use or spare.
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
