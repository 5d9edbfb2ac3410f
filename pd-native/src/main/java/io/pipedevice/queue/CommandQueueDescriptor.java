// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.queue;

/**
 * Layout of a command queue (SQ or CQ, §3.5) in memory.
 *
 * <pre>
 *    0 +----------------------------------------------+
 *      | tail: entries published by the producer      |
 *  128 +----------------------------------------------+
 *      | head: entries given back by the consumer     |
 *  256 +----------------------------------------------+
 *      | depth entries of 32 bytes (CommandDescriptor)|
 *      +----------------------------------------------+
 * </pre>
 *
 * <p>Both positions only grow, as 64-bit little-endian numbers; an entry's index is its position modulo the depth. Each
 * has a pair of cache lines of its own, because adjacent lines are fetched together.
 */
public final class CommandQueueDescriptor {
    /** Offset of the producer's position, eight bytes. */
    public static final int TAIL_OFFSET = 0;

    /** Offset of the consumer's position, eight bytes. */
    public static final int HEAD_OFFSET = 128;

    /** Offset of the first entry. */
    public static final int ENTRIES_OFFSET = 256;

    /** Smallest depth. */
    public static final int MIN_DEPTH = 2;

    /** The paper's depth (§4), and the default. */
    public static final int DEFAULT_DEPTH = 1024;

    /** Largest depth. */
    public static final int MAX_DEPTH = 1 << 16;

    private CommandQueueDescriptor() {}

    /**
     * Memory that a queue needs.
     *
     * @param depth in entries, a power of two from {@link #MIN_DEPTH} to {@link #MAX_DEPTH}
     * @return in bytes
     * @throws IllegalArgumentException if the depth is out of range
     */
    public static long requiredLength(int depth) {
        checkDepth(depth);
        return ENTRIES_OFFSET + (long) depth * CommandDescriptor.ENTRY_LENGTH;
    }

    static void checkDepth(int depth) {
        if (depth < MIN_DEPTH || depth > MAX_DEPTH || Integer.bitCount(depth) != 1) {
            throw new IllegalArgumentException(
                    "queue depth must be a power of two from " + MIN_DEPTH + " to " + MAX_DEPTH + ": " + depth);
        }
    }
}
