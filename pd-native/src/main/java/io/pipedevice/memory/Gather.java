// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import java.nio.ByteBuffer;
import java.util.Objects;

/** Buffers of one gathering write, one after the other, as one row of bytes. Allocates nothing. */
public final class Gather {
    private Gather() {}

    /**
     * Counts the bytes of a range of buffers.
     *
     * @param sources buffers of any kind; none of the range is null
     * @param offset of the first
     * @param length how many
     * @return the sum of what remains in them
     * @throws IndexOutOfBoundsException if the range is not one of the array's
     */
    public static long remaining(ByteBuffer[] sources, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, sources.length);
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            sum += sources[i].remaining();
        }
        return sum;
    }

    /**
     * Copies bytes; the positions of the buffers stay.
     *
     * @param sources buffers of any kind
     * @param first where to begin
     * @param target where to
     * @param at offset in the target
     * @param length in bytes, no more than remain from the first buffer on
     */
    public static void copy(ByteBuffer[] sources, int first, ByteBuffer target, int at, int length) {
        int copied = 0;
        for (int i = first; copied < length; i++) {
            ByteBuffer source = sources[i];
            int count = Math.min(source.remaining(), length - copied);
            target.put(at + copied, source, source.position(), count);
            copied += count;
        }
    }

    /**
     * Moves the positions past bytes that were taken.
     *
     * @param sources buffers of any kind
     * @param first where to begin
     * @param length in bytes, no more than remain from the first buffer on
     * @return the buffer from which on to go on
     */
    public static int skip(ByteBuffer[] sources, int first, long length) {
        int next = first;
        long left = length;
        while (left > 0) {
            ByteBuffer source = sources[next];
            int count = (int) Math.min(source.remaining(), left);
            source.position(source.position() + count);
            left -= count;
            if (left > 0) {
                next++;
            }
        }
        return next;
    }
}
