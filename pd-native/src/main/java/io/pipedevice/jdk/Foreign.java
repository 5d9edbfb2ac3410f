// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.jdk;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * The part of the foreign memory API whose names differ between JDK 21, where it is a preview, and later ones.
 */
public final class Foreign {
    /** That of the widest of them. */
    private static final long ALIGNMENT = Long.BYTES;

    private Foreign() {}

    /**
     * A handle of a value in off-heap memory.
     *
     * @param layout of the value
     * @return its coordinates are a {@link MemorySegment} and a {@code long}, the offset in bytes
     */
    public static VarHandle handle(ValueLayout layout) {
        return Jdk.HAS_FOREIGN_MEMORY ? layout.varHandle() : olderHandle(layout);
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
        if (Jdk.HAS_FOREIGN_MEMORY) {
            return allocator.allocateFrom(text);
        }
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
     * Copies a few bytes.
     *
     * @param allocator of the copy
     * @param values to copy
     * @return the copy
     */
    public static MemorySegment bytes(SegmentAllocator allocator, byte... values) {
        MemorySegment segment = allocator.allocate(values.length, ALIGNMENT);
        // One by one: the method for arrays uses invokedynamic, whose first use takes a JVM milliseconds.
        for (int i = 0; i < values.length; i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, values[i]);
        }
        return segment;
    }

    /**
     * Copies a few numbers.
     *
     * @param allocator of the copy
     * @param values to copy
     * @return the copy, in the order of bytes of this machine
     */
    public static MemorySegment ints(SegmentAllocator allocator, int... values) {
        MemorySegment segment = allocator.allocate((long) values.length * Integer.BYTES, ALIGNMENT);
        for (int i = 0; i < values.length; i++) {
            segment.setAtIndex(ValueLayout.JAVA_INT, i, values[i]);
        }
        return segment;
    }

    /**
     * Copies a few numbers.
     *
     * @param allocator of the copy
     * @param values to copy
     * @return the copy, in the order of bytes of this machine
     */
    public static MemorySegment longs(SegmentAllocator allocator, long... values) {
        MemorySegment segment = allocator.allocate((long) values.length * Long.BYTES, ALIGNMENT);
        for (int i = 0; i < values.length; i++) {
            segment.setAtIndex(ValueLayout.JAVA_LONG, i, values[i]);
        }
        return segment;
    }
}
