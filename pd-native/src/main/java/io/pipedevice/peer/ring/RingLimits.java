// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

/**
 * How large the rings of a connection may become that one side sends from.
 *
 * @param read the largest while the peer reads, and for blocks: one that stays in the caches
 * @param unread the largest where the peer does not read, at least as large: together with the rings before it, it takes
 *     what a kernel socket takes
 */
public record RingLimits(int read, int unread) {
    private static final int LEAST = SendRings.MIN_SIZE;

    /** What a kernel socket takes besides what its sender's buffer takes, at first. */
    private static final int TCP_WINDOW = 64 << 10;

    /**
     * The same limit in both cases.
     *
     * @param size in bytes
     * @return the limits
     */
    public static RingLimits of(int size) {
        return new RingLimits(size, size);
    }

    /**
     * The limits for a program that asks for a buffer to send from. The kernel gives it twice as much, and the receiver's
     * buffer takes some too, however small the program makes it.
     *
     * @param wanted as SO_SNDBUF says, any value
     * @return the limits, at most these
     */
    public RingLimits within(int wanted) {
        return new RingLimits(Math.min(read, size(wanted)), Math.min(unread, size(2L * wanted + TCP_WINDOW)));
    }

    private static int size(long wanted) {
        long rounded = wanted <= LEAST ? LEAST : Long.highestOneBit(wanted - 1) << 1;
        return (int) Math.min(rounded, SendRings.MAX_SIZE);
    }
}
