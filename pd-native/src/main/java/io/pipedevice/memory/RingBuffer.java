// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import java.lang.foreign.MemorySegment;

/**
 * A ring buffer of a {@link RingBufferPool}: a part of one of its regions.
 *
 * @param region number of the region in its pool
 * @param offset of the ring in the region, in bytes
 * @param size in bytes, a power of two
 * @param memory the ring's bytes, alive as long as the region
 */
public record RingBuffer(int region, long offset, int size, MemorySegment memory) {
    /** Smallest ring, in bytes. */
    public static final int MIN_SIZE = 4 << 10;

    /** Largest ring, in bytes; the paper uses this size (§4). */
    public static final int MAX_SIZE = 4 << 20;

    /**
     * Default size, in bytes. The amount that a device copies while a reader is being woken has to fit several times;
     * otherwise the device and the reader take turns instead of working in parallel. A larger size gains little,
     * because it no longer fits into the caches.
     */
    public static final int DEFAULT_SIZE = 1 << 20;

    private static final int GROWTH = 16;
    private static final int MAX_GROWTH = 1 << 20;

    /**
     * The ring size for a wanted size. SO_SNDBUF and SO_RCVBUF are only hints.
     *
     * @param wanted in bytes, any value
     * @return a power of two from {@link #MIN_SIZE} to {@link #MAX_SIZE}, not less than {@code wanted} unless that
     *     exceeds the maximum
     */
    public static int sizeFor(int wanted) {
        if (wanted <= MIN_SIZE) {
            return MIN_SIZE;
        }
        return wanted > MAX_SIZE >> 1 ? MAX_SIZE : Integer.highestOneBit(wanted - 1) << 1;
    }

    /**
     * The next size of a ring that grows: soon a stream needs the whole, but the kernel takes time to allocate much.
     *
     * @param size in bytes, a power of two
     * @return a larger power of two
     */
    public static int grown(int size) {
        return Math.max(2 * size, Math.min(GROWTH * size, MAX_GROWTH));
    }

    /**
     * Whether a number is a ring's size.
     *
     * @param size any value, even from another process
     * @return true for powers of two from {@link #MIN_SIZE} to {@link #MAX_SIZE}
     */
    public static boolean isSize(long size) {
        return size >= MIN_SIZE && size <= MAX_SIZE && Long.bitCount(size) == 1;
    }
}
