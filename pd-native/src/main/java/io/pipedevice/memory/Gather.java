// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The buffers of one gathering write as one sequence of bytes. Their positions do not change before the end, so that a
 * buffer that occurs twice is written twice, as by writev(2). Allocates nothing, and is reusable. Belongs to the
 * writing thread.
 */
public final class Gather {
    /** The array for a write of one buffer. */
    private final ByteBuffer[] single = new ByteBuffer[1];

    private ByteBuffer[] sources;
    private int first;
    private long all;
    private long left;

    /** The first buffer with bytes left, or one before it, and how many of its bytes are taken. */
    private int next;

    private int done;

    /** Creates an object without buffers; see {@link #begin}. */
    public Gather() {}

    /**
     * Counts the bytes of a range of buffers.
     *
     * @param sources buffers of any kind; none of the range is null
     * @param offset of the first
     * @param length how many
     * @return the sum of their remaining bytes
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
     * Begins with new buffers, which {@link #end} releases.
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
     * Begins with one buffer, which {@link #end} releases.
     *
     * @param buffer of any kind
     * @return how many bytes there are
     */
    public long begin(ByteBuffer buffer) {
        single[0] = buffer;
        return begin(single, 0, 1);
    }

    /**
     * The number of bytes that are not taken yet.
     *
     * @return in bytes
     */
    public long left() {
        return left;
    }

    /**
     * Finds the buffer that has the next bytes, from {@link #position} on.
     *
     * @return a buffer with bytes left, if there are any
     */
    public ByteBuffer source() {
        while (sources[next].remaining() == done) {
            next++;
            done = 0;
        }
        return sources[next];
    }

    /**
     * The index of the next bytes in {@link #source}.
     *
     * @return an index in it
     */
    public int position() {
        return sources[next].position() + done;
    }

    /**
     * The number of bytes that {@link #source} has left.
     *
     * @return 1 or more
     */
    public int available() {
        return sources[next].remaining() - done;
    }

    /**
     * Copies the next bytes without taking them.
     *
     * @param target receives the bytes
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
     * Advances the positions past the taken bytes, and releases the buffers.
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
