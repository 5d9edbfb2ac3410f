// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

/**
 * The largest sizes of the rings from which one side of a connection sends.
 *
 * @param read the limit while the peer reads, and for blocks: such a ring stays in the caches
 * @param unread the limit while the peer does not read, at least as large: together with the rings before it, such a
 *     ring holds as much as a kernel socket
 */
public record RingLimits(int read, int unread) {
    private static final int LEAST = SendRings.MIN_SIZE;

    /** The bytes that a kernel socket initially takes in addition to its sender's buffer. */
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
     * The limits for a program that sets the size of its send buffer. The kernel doubles that size, and the receiver's
     * buffer takes some bytes too, however small the send buffer is.
     *
     * @param wanted the value of SO_SNDBUF; any
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
