// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The text at the end of a {@link ControlMessage}, little-endian.
 *
 * <pre>
 *  124      126                                256
 *  +--------+-----------------------------------+
 *  | length | UTF-8, cut to the length that fits|
 *  +--------+-----------------------------------+
 * </pre>
 */
final class TextField {
    private static final int MAX_LENGTH = ControlMessage.LENGTH - ControlMessageDescriptor.TEXT_OFFSET;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private TextField() {}

    /** A text for a person. Control characters are replaced, because it may end in a log. */
    static String get(MemorySegment memory) {
        int length = Math.min(memory.get(SHORT, ControlMessageDescriptor.TEXT_LENGTH_OFFSET) & 0xFFFF, MAX_LENGTH);
        byte[] bytes = new byte[length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, ControlMessageDescriptor.TEXT_OFFSET, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
    }

    static void set(MemorySegment memory, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, MAX_LENGTH);
        memory.set(SHORT, ControlMessageDescriptor.TEXT_LENGTH_OFFSET, (short) length);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, ControlMessageDescriptor.TEXT_OFFSET, length);
    }
}
