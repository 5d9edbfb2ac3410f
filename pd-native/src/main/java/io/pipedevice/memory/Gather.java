// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The buffers of one gathering write, one after the other, as one row of bytes. Their positions stay until the end, so that
 * a buffer that is in the row twice is written twice, as by writev(2). Allocates nothing, and is used again; belongs to the
 * thread that writes.
 */
public final class Gather {
    /** The row of a write of one buffer. */
    private final ByteBuffer[] single = new ByteBuffer[1];

    private ByteBuffer[] sources;
    private int first;
    private long all;
    private long left;

    /** The buffer from which on bytes are left, or one before it, and how much of it is taken. */
    private int next;

    private int done;

    /** Without buffers, until {@link #begin}. */
    public Gather() {}

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
     * Begins with other buffers, which {@link #end} lets go of.
     *
     * @param buffers of any kind; none of the range is null
     * @param offset of the first
     * @param length how many
     * @return how many bytes there are
     * @throws IndexOutOfBoundsException if the range is not one of the array's
     */
    public long begin(ByteBuffer[] buffers, int offset, int length) {
        all = remaining(buffers, offset, length);
        left = all;
        sources = buffers;
        first = offset;
        next = offset;
        done = 0;
        return all;
    }

    /**
     * Begins with one buffer, which {@link #end} lets go of.
     *
     * @param buffer of any kind
     * @return how many bytes there are
     */
    public long begin(ByteBuffer buffer) {
        single[0] = buffer;
        return begin(single, 0, 1);
    }

    /**
     * Says how many bytes are not yet taken.
     *
     * @return what is left
     */
    public long left() {
        return left;
    }

    /**
     * Finds the buffer that has the next bytes, from {@link #position} on.
     *
     * @return one with bytes left, if any are
     */
    public ByteBuffer source() {
        while (sources[next].remaining() == done) {
            next++;
            done = 0;
        }
        return sources[next];
    }

    /**
     * Says where the next bytes are in {@link #source}.
     *
     * @return an index in it
     */
    public int position() {
        return sources[next].position() + done;
    }

    /**
     * Says how many bytes {@link #source} has left.
     *
     * @return 1 or more
     */
    public int available() {
        return sources[next].remaining() - done;
    }

    /**
     * Copies the next bytes, and takes none.
     *
     * @param target where to
     * @param at offset in the target
     * @param length in bytes, no more than are left
     */
    public void copy(ByteBuffer target, int at, int length) {
        int index = next;
        int from = done;
        int copied = 0;
        while (copied < length) {
            ByteBuffer source = sources[index];
            int count = Math.min(source.remaining() - from, length - copied);
            target.put(at + copied, source, source.position() + from, count);
            copied += count;
            index++;
            from = 0;
        }
    }

    /**
     * Takes the next bytes.
     *
     * @param length in bytes, no more than are left
     */
    public void take(long length) {
        left -= length;
        long rest = length;
        while (rest > 0) {
            source();
            int count = (int) Math.min(available(), rest);
            done += count;
            rest -= count;
        }
    }

    /**
     * Moves the positions past what was taken, and lets go of the buffers.
     *
     * @return how many bytes were taken
     */
    public long end() {
        ByteBuffer[] buffers = sources;
        sources = null;
        if (left < all) {
            int position = buffers[next].position() + done;
            for (int i = first; i < next; i++) {
                buffers[i].position(buffers[i].limit());
            }
            buffers[next].position(position);
        }
        single[0] = null;
        return all - left;
    }
}
