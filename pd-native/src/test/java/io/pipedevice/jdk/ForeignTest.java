// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.jdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForeignTest {
    private final Arena arena = Arena.ofAuto();

    @Test
    void aHandleTakesASegmentAndAnOffset() {
        MemorySegment memory = arena.allocate(32, 8);
        VarHandle words = Foreign.handle(ValueLayout.JAVA_LONG);
        assertEquals(List.of(MemorySegment.class, long.class), words.coordinateTypes());
        words.setVolatile(memory, 8L, 7L);
        assertEquals(7, memory.get(ValueLayout.JAVA_LONG, 8));
        assertEquals(7, (long) words.getAndAdd(memory, 8L, 2L));
        VarHandle big = Foreign.handle(ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN));
        big.setRelease(memory, 16L, 1);
        assertEquals(1 << 24, memory.get(ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN), 16));
        assertThrows(IndexOutOfBoundsException.class, () -> words.setVolatile(memory, 32L, 1L));
    }

    @Test
    void aStringEndsWithZeroAndIsReadUpToThere() {
        for (String text : List.of("", "/dev/shm", "Grüße €")) {
            MemorySegment segment = Foreign.string(arena, text);
            assertEquals(0, segment.get(ValueLayout.JAVA_BYTE, segment.byteSize() - 1));
            assertEquals(text, Foreign.string(segment));
        }
        MemorySegment open = Foreign.bytes(arena, (byte) 'a', (byte) 'b');
        assertThrows(IndexOutOfBoundsException.class, () -> Foreign.string(open));
    }

    @Test
    void numbersAreCopied() {
        assertArrayEquals(new int[] {1, -2, 3}, Foreign.ints(arena, 1, -2, 3).toArray(ValueLayout.JAVA_INT));
        assertArrayEquals(new long[] {1, -2}, Foreign.longs(arena, 1, -2).toArray(ValueLayout.JAVA_LONG));
        assertArrayEquals(new byte[] {5}, Foreign.bytes(arena, (byte) 5).toArray(ValueLayout.JAVA_BYTE));
    }
}
