// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.pci;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Allocates addresses for memory that a function accesses (docs/pd-stack.md). Ranges are aligned to 2 MB, so that the
 * IOMMU can use large pages, and at least one page behind each stays unmapped.
 *
 * <p>A freed range is reused as late as possible. First the whole space is used once. Then the allocator takes the
 * range that has been free for longest, among those that are large enough. Belongs to the driver's thread.
 */
public final class IovaSpace {
    /** Alignment of ranges, in bytes. */
    public static final long ALIGNMENT = 2 << 20;

    private final PciFunction function;
    private final long last;
    private final long guard;

    /** Start of the addresses that were never used. */
    private long fresh;

    /** Length of each range in use, the guard included, by its address. */
    private final Map<Long, Long> used = new HashMap<>();

    /** Disjoint and never adjacent; the range that has been free for longest comes first. */
    private final List<Range> freed = new ArrayList<>();

    private static final class Range {
        final long address;
        final long length;

        Range(long address, long length) {
            this.address = address;
            this.length = length;
        }
    }

    /**
     * Creates the space of a function.
     *
     * @param function its IOMMU determines which addresses may be mapped
     * @param addressBits that the device can put on the bus, 1 to 63
     */
    public IovaSpace(PciFunction function, int addressBits) {
        this.function = function;
        this.last = Math.min(function.lastAddress(), (1L << addressBits) - 1);
        this.guard = function.pageSize();
        this.fresh = align(function.firstAddress());
    }

    /**
     * Takes a range.
     *
     * @param length in bytes, at least 1
     * @return its first address
     * @throws IOException if no free range is long enough
     */
    public long allocate(long length) throws IOException {
        if (length < 1) {
            throw new IllegalArgumentException("length must be positive: " + length);
        }
        long whole = align(length + guard);
        long address = takeFresh(whole);
        if (address == 0) {
            address = takeFreed(whole);
        }
        if (address == 0) {
            throw new IOException("no address is left for " + length + " bytes of device memory, with " + used.size()
                    + " ranges in use");
        }
        used.put(address, whole);
        return address;
    }

    private long takeFresh(long whole) {
        long address = fresh;
        long reserved = function.reservedUntil(address, whole);
        while (reserved != 0) {
            address = align(reserved);
            reserved = function.reservedUntil(address, whole);
        }
        if (whole > last || address > last - whole + 1) {
            return 0;
        }
        fresh = address + whole;
        return address;
    }

    private long takeFreed(long whole) {
        for (int i = 0; i < freed.size(); i++) {
            Range range = freed.get(i);
            if (range.length > whole) {
                freed.set(i, new Range(range.address + whole, range.length - whole));
                return range.address;
            }
            if (range.length == whole) {
                freed.remove(i);
                return range.address;
            }
        }
        return 0;
    }

    /**
     * Gives a range back.
     *
     * @param address as it was taken
     * @throws IllegalArgumentException if it is not in use
     */
    public void free(long address) {
        Long whole = used.remove(address);
        if (whole == null) {
            throw new IllegalArgumentException("not in use: 0x" + Long.toHexString(address));
        }
        long from = address;
        long until = address + whole;
        // Merge adjacent free ranges, so that the space does not become fragmented.
        for (int i = freed.size() - 1; i >= 0; i--) {
            Range range = freed.get(i);
            if (range.address + range.length == address) {
                from = range.address;
                freed.remove(i);
            } else if (range.address == address + whole) {
                until = range.address + range.length;
                freed.remove(i);
            }
        }
        freed.add(new Range(from, until - from));
    }

    private static long align(long value) {
        return value + ALIGNMENT - 1 & -ALIGNMENT;
    }
}
