// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Adds floats of any memory, a block at a time. It adds in arrays, because the JVM turns a loop over arrays into vector
 * instructions. Used by one thread.
 */
public final class FloatSums {
    /** Few enough for the nearest cache. */
    private static final int BLOCK = 1 << 10;

    private static final ValueLayout.OfFloat FLOATS = ValueLayout.JAVA_FLOAT_UNALIGNED;

    private final float[] sums = new float[BLOCK];
    private final float[] terms = new float[BLOCK];
    private int count;

    /** Creates a block without sums. */
    public FloatSums() {}

    /**
     * Makes the sums of the next floats, a block at most.
     *
     * @param one memory of the first terms
     * @param oneOffset where they begin, in bytes
     * @param other memory of the second terms
     * @param otherOffset where they begin, in bytes
     * @param bytes how many there are, a multiple of the size of a float
     * @return the bytes of the sums that were made
     */
    public int add(MemorySegment one, long oneOffset, MemorySegment other, long otherOffset, int bytes) {
        count = Math.min(BLOCK, bytes / Float.BYTES);
        MemorySegment.copy(one, FLOATS, oneOffset, terms, 0, count);
        MemorySegment.copy(other, FLOATS, otherOffset, sums, 0, count);
        for (int i = 0; i < count; i++) {
            sums[i] += terms[i];
        }
        return count * Float.BYTES;
    }

    /**
     * Writes the sums of the last addition.
     *
     * @param into memory
     * @param offset where the first is written, in bytes
     */
    public void copyTo(MemorySegment into, long offset) {
        MemorySegment.copy(sums, 0, into, FLOATS, offset, count);
    }
}
