// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class GatherTest {
    private final ByteBuffer[] sources = {
        ByteBuffer.wrap(new byte[] {9, 1, 2}).position(1),
        ByteBuffer.allocate(0),
        ByteBuffer.wrap(new byte[] {3, 4, 5}).asReadOnlyBuffer(),
        ByteBuffer.allocateDirect(1).put(0, (byte) 6)
    };

    @Test
    void countsWhatRemainsInTheRange() {
        assertEquals(6, Gather.remaining(sources, 0, 4));
        assertEquals(3, Gather.remaining(sources, 1, 2));
        assertEquals(0, Gather.remaining(sources, 4, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> Gather.remaining(sources, 3, 2));
    }

    @Test
    void copiesAcrossBuffersAndMovesNothing() {
        byte[] copy = new byte[7];
        Gather.copy(sources, 0, ByteBuffer.wrap(copy), 1, 4);
        assertArrayEquals(new byte[] {0, 1, 2, 3, 4, 0, 0}, copy);
        assertEquals(6, Gather.remaining(sources, 0, 4));
    }

    @Test
    void goesOnWhereItLeft() {
        assertEquals(2, Gather.skip(sources, 0, 3));
        byte[] copy = new byte[3];
        Gather.copy(sources, 2, ByteBuffer.wrap(copy), 0, 3);
        assertArrayEquals(new byte[] {4, 5, 6}, copy);
        assertEquals(3, Gather.skip(sources, 2, 3));
        assertEquals(0, Gather.remaining(sources, 0, 4));
        assertEquals(3, Gather.skip(sources, 3, 0));
    }
}
