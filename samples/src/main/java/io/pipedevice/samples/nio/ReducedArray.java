// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The array of one process of an allreduce, with known numbers before and a check of the sums afterwards. */
public final class ReducedArray {
    private static final int MEGABYTE = 1 << 20;

    private final int rank;
    private final int ranks;
    private final ByteBuffer data;

    /**
     * Creates an array of zeros.
     *
     * @param rank the number of this process from 0
     * @param ranks the number of processes
     * @param megabytes its size
     */
    public ReducedArray(int rank, int ranks, int megabytes) {
        this.rank = rank;
        this.ranks = ranks;
        this.data = ByteBuffer.allocateDirect(Math.multiplyExact(megabytes, MEGABYTE))
                .order(ByteOrder.nativeOrder());
    }

    /**
     * The whole array.
     *
     * @return floats, in the native order
     */
    public ByteBuffer data() {
        return data;
    }

    /**
     * Where a part begins. The lengths of two parts differ by one float at most.
     *
     * @param index of the part, 0 to {@code parts}, which gives the end of the last one
     * @param parts how many parts there are
     * @return in bytes, a multiple of the size of a float
     */
    public int begin(int index, int parts) {
        int floats = data.capacity() / Float.BYTES;
        return (int) ((long) floats * index / parts) * Float.BYTES;
    }

    /**
     * A part of the array.
     *
     * @param index 0 to {@code parts}, exclusive
     * @param parts how many parts there are
     * @return its floats, in the native order
     */
    public ByteBuffer part(int index, int parts) {
        int from = begin(index, parts);
        return data.slice(from, begin(index + 1, parts) - from).order(ByteOrder.nativeOrder());
    }

    /** Writes the numbers of this process: small whole ones, so that their sums do not depend on the order. */
    public void fill() {
        for (int i = 0; i < data.capacity(); i += Float.BYTES) {
            data.putFloat(i, (i >> 2) % 1000 + rank);
        }
    }

    /**
     * Compares all floats with the sums of the numbers of all processes.
     *
     * @throws IOException if one differs
     */
    public void verify() throws IOException {
        for (int i = 0; i < data.capacity(); i += Float.BYTES) {
            float sum = (i >> 2) % 1000 * ranks + ranks * (ranks - 1) / 2;
            if (data.getFloat(i) != sum) {
                throw new IOException("sum " + (i >> 2) + " is " + data.getFloat(i) + " instead of " + sum);
            }
        }
    }
}
