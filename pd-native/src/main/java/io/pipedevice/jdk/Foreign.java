// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.jdk;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * The part of the foreign memory API whose names differ between JDK 21, where it is a preview, and later ones. Used by
 * any thread.
 */
public final class Foreign {
    /** Aligned as the widest of them is. */
    private static final long ALIGNMENT = Long.BYTES;

    private Foreign() {}

    /**
     * A handle of a value in off-heap memory.
     *
     * @param layout of the value
     * @return its coordinates are a {@link MemorySegment} and a {@code long}, the offset in bytes
     */
    public static VarHandle handle(ValueLayout layout) {
        return Jdk.LAYOUTS_MAKE_HANDLES ? layout.varHandle() : olderHandle(layout);
    }

    private static VarHandle olderHandle(ValueLayout layout) {
        try {
            return (VarHandle) MethodHandles.class
                    .getMethod("memorySegmentViewVarHandle", ValueLayout.class)
                    .invoke(null, layout);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the foreign memory API of this JDK is unknown", e);
        }
    }

    /**
     * Copies a string.
     *
     * @param allocator of the copy
     * @param text without a character of code 0
     * @return the text as C has it, in UTF-8 and with a zero byte behind it
     */
    public static MemorySegment string(SegmentAllocator allocator, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment segment = allocator.allocate(bytes.length + 1L, 1);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        segment.set(ValueLayout.JAVA_BYTE, bytes.length, (byte) 0);
        return segment;
    }

    /**
     * Reads a string of C.
     *
     * @param segment begins with it
     * @return the text before the first zero byte
     * @throws IndexOutOfBoundsException if the segment has none
     */
    public static String string(MemorySegment segment) {
        long length = 0;
        while (segment.get(ValueLayout.JAVA_BYTE, length) != 0) {
            length++;
        }
        byte[] bytes = segment.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * Copies bytes.
     *
     * @param allocator of the copy
     * @param values to copy
     * @return the copy
     */
    public static MemorySegment bytes(SegmentAllocator allocator, byte... values) {
        return copy(allocator, MemorySegment.ofArray(values));
    }

    /**
     * Copies numbers.
     *
     * @param allocator of the copy
     * @param values to copy
     * @return the copy, in the order of bytes of this machine
     */
    public static MemorySegment ints(SegmentAllocator allocator, int... values) {
        return copy(allocator, MemorySegment.ofArray(values));
    }

    /**
     * Copies numbers.
     *
     * @param allocator of the copy
     * @param values to copy
     * @return the copy, in the order of bytes of this machine
     */
    public static MemorySegment longs(SegmentAllocator allocator, long... values) {
        return copy(allocator, MemorySegment.ofArray(values));
    }

    private static MemorySegment copy(SegmentAllocator allocator, MemorySegment values) {
        return allocator.allocate(values.byteSize(), ALIGNMENT).copyFrom(values);
    }
}
