// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * The buffers of one gathering write as one sequence of bytes. Their positions do not change before the end, so that a
 * buffer that occurs twice is written twice, as by writev(2). What the caller's array and the buffers say is read once,
 * at the beginning: some programs change them meanwhile in another thread, and the JDK's channels do not mind either.
 * Allocates only to hold more buffers than ever before, and is reusable. Belongs to the writing thread.
 */
public final class Gather {
    private static final int FEW = 16;

    /** More buffers than these are forgotten with their arrays: it is as many as writev(2) takes. */
    private static final int MOST_KEPT = 1024;

    private ByteBuffer[] sources = new ByteBuffer[1];

    /** Where the bytes of each begin, and how many there are. */
    private int[] positions = new int[1];

    private int[] lengths = new int[1];
    private int count;
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
        Objects.checkFromIndexSize(offset, length, buffers.length);
        if (length > sources.length) {
            hold(Math.max(FEW, length));
        }
        clear();
        try {
            for (int i = 0; i < length; i++) {
                add(buffers[offset + i]);
            }
        } catch (RuntimeException e) {
            release();
            throw e;
        }
        return all;
    }

    private void hold(int most) {
        sources = new ByteBuffer[most];
        positions = new int[most];
        lengths = new int[most];
    }

    private void clear() {
        count = 0;
        all = 0;
        left = 0;
        next = 0;
        done = 0;
    }

    private void add(ByteBuffer buffer) {
        int position = buffer.position();
        int length = Math.max(0, buffer.limit() - position);
        sources[count] = buffer;
        positions[count] = position;
        lengths[count++] = length;
        all += length;
        left = all;
    }

    private void release() {
        if (sources.length > MOST_KEPT) {
            hold(1);
        } else {
            Arrays.fill(sources, 0, count, null);
        }
        count = 0;
    }

    /**
     * Begins with one buffer, which {@link #end} releases.
     *
     * @param buffer of any kind
     * @return how many bytes there are
     */
    public long begin(ByteBuffer buffer) {
        clear();
        add(buffer);
        return all;
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
        while (lengths[next] == done) {
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
        return positions[next] + done;
    }

    /**
     * The number of bytes that {@link #source} has left.
     *
     * @return 1 or more
     */
    public int available() {
        return lengths[next] - done;
    }

    /**
     * Copies the next bytes without taking them.
     *
     * @param target receives the bytes
     * @param at offset in the target
     * @param length in bytes, no more than are left
     * @throws MemoryFaultException if a buffer's memory is not there
     */
    public void copy(ByteBuffer target, int at, int length) {
        int index = next;
        int from = done;
        int copied = 0;
        while (copied < length) {
            int piece = Math.min(lengths[index] - from, length - copied);
            ProgramMemory.write(target, at + copied, sources[index], positions[index] + from, piece);
            copied += piece;
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
            int piece = (int) Math.min(available(), rest);
            done += piece;
            rest -= piece;
        }
    }

    /**
     * Advances the positions past the taken bytes, and releases the buffers.
     *
     * @return how many bytes were taken
     */
    public long end() {
        if (left < all) {
            for (int i = 0; i < next; i++) {
                sources[i].position(positions[i] + lengths[i]);
            }
            sources[next].position(positions[next] + done);
        }
        release();
        return all - left;
    }
}
