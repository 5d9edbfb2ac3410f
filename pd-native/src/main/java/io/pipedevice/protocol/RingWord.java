// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

/**
 * The word by which the driver tells a receiver which part of its receive ring is in use
 * ({@link DriverPageDescriptor#RING_OFFSET}).
 *
 * <pre>
 *  63                                   6 5        0
 * +--------------------------------------+----------+
 * | position of the stream at the        | log2 of  |
 * | ring's beginning                     | the size |
 * +--------------------------------------+----------+
 * </pre>
 *
 * <p>The byte at a position lies at the position less that of the beginning, modulo the size. The driver begins
 * at the ring's beginning again only when all bytes are consumed, and makes the part larger only while no byte since
 * the beginning has gone beyond its end. So the bytes that are not consumed have the same places by the old word and by
 * the new one, and a receiver may read the word at any time.
 */
public final class RingWord {
    private static final int SIZE_BITS = 6;

    private RingWord() {}

    /**
     * Makes the word.
     *
     * @param start position of the stream at the ring's beginning
     * @param size of the part in use, in bytes, a power of two
     * @return the word
     */
    public static long of(long start, int size) {
        return start << SIZE_BITS | Integer.numberOfTrailingZeros(size);
    }

    /**
     * The position of the stream at the ring's beginning.
     *
     * @param word any value
     * @return a count of bytes
     */
    public static long start(long word) {
        return word >>> SIZE_BITS;
    }

    /**
     * The size of the part in use.
     *
     * @param word any value, even from another process
     * @return in bytes, any power of two
     */
    public static long size(long word) {
        return 1L << (word & (1 << SIZE_BITS) - 1);
    }
}
