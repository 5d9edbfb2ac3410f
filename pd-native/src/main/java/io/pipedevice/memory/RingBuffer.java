// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import java.lang.foreign.MemorySegment;

/**
 * A ring buffer that was taken from a {@link RingBufferPool}: a part of one of its regions.
 *
 * @param region number of the region in its pool
 * @param offset of the ring in the region, in bytes
 * @param size in bytes, a power of two
 * @param memory the ring's bytes, alive as long as the region
 */
public record RingBuffer(int region, long offset, int size, MemorySegment memory) {
    /** Smallest ring, in bytes. */
    public static final int MIN_SIZE = 4 << 10;

    /** Largest ring, and the paper's (§4), in bytes. */
    public static final int MAX_SIZE = 4 << 20;

    /**
     * Default size, in bytes: what a device copies while a sleeper is being woken has to fit several times, or else the two
     * take turns instead of working at once; more than this gains little, because it no longer fits the caches.
     */
    public static final int DEFAULT_SIZE = 1 << 20;

    /**
     * The ring size that serves a wish, as SO_SNDBUF and SO_RCVBUF are hints.
     *
     * @param wanted in bytes, any value
     * @return a power of two from {@link #MIN_SIZE} to {@link #MAX_SIZE}, not less than wanted unless that is too much
     */
    public static int sizeFor(int wanted) {
        if (wanted <= MIN_SIZE) {
            return MIN_SIZE;
        }
        return wanted > MAX_SIZE >> 1 ? MAX_SIZE : Integer.highestOneBit(wanted - 1) << 1;
    }

    /**
     * Whether a number is a ring's size.
     *
     * @param size any value, also a stranger's
     * @return true for powers of two from {@link #MIN_SIZE} to {@link #MAX_SIZE}
     */
    public static boolean isSize(long size) {
        return size >= MIN_SIZE && size <= MAX_SIZE && Long.bitCount(size) == 1;
    }
}
