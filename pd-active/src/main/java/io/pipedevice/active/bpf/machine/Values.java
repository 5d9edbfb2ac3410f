// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Values of 1, 2, 4 or 8 bytes in segments of memory, little-endian, at any offset in them. */
final class Values {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /**
     * The class of most segments in shared memory. Where it has been compared with the class of a segment, C2 compiles
     * an access to a few instructions, also when it has seen segments of many classes.
     */
    private static final Class<?> OUTSIDE_HEAP = MemorySegment.NULL.getClass();

    private Values() {}

    /** Whether {@link #loadKnown} and {@link #storeKnown} are fast. */
    static boolean isOutsideHeap(MemorySegment segment) {
        return segment.getClass() == OUTSIDE_HEAP;
    }

    /** Loads a value, zero-extended. */
    @SuppressWarnings("DuplicateBranches") // the class of the segment is known in one of them
    static long load(MemorySegment segment, long offset, int length) {
        return isOutsideHeap(segment) ? loadKnown(segment, offset, length) : loadKnown(segment, offset, length);
    }

    /** As {@link #load}, where the caller has compared the class of the segment. */
    static long loadKnown(MemorySegment segment, long offset, int length) {
        return switch (length) {
            case 1 -> segment.get(ValueLayout.JAVA_BYTE, offset) & 0xffL;
            case 2 -> segment.get(SHORT, offset) & 0xffffL;
            case 4 -> segment.get(INT, offset) & 0xffff_ffffL;
            default -> segment.get(LONG, offset);
        };
    }

    /** Stores the low bits of a value. */
    @SuppressWarnings("DuplicateBranches") // the class of the segment is known in one of them
    static void store(MemorySegment segment, long offset, int length, long value) {
        if (isOutsideHeap(segment)) {
            storeKnown(segment, offset, length, value);
        } else {
            storeKnown(segment, offset, length, value);
        }
    }

    /** As {@link #store}, where the caller has compared the class of the segment. */
    static void storeKnown(MemorySegment segment, long offset, int length, long value) {
        switch (length) {
            case 1 -> segment.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
            case 2 -> segment.set(SHORT, offset, (short) value);
            case 4 -> segment.set(INT, offset, (int) value);
            default -> segment.set(LONG, offset, value);
        }
    }
}
