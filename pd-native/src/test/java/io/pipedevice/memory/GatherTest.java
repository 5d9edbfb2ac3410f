// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GatherTest {
    private final Gather gather = new Gather();
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
        gather.begin(sources, 0, 4);
        gather.copy(ByteBuffer.wrap(copy), 1, 4);
        assertArrayEquals(new byte[] {0, 1, 2, 3, 4, 0, 0}, copy);
        assertEquals(6, gather.left());
        assertEquals(0, gather.end());
        assertEquals(6, Gather.remaining(sources, 0, 4));
    }

    @Test
    void goesOnWhereItLeft() {
        assertEquals(6, gather.begin(sources, 0, 4));
        gather.take(3);
        assertEquals(3, gather.left());
        byte[] copy = new byte[3];
        gather.copy(ByteBuffer.wrap(copy), 0, 3);
        assertArrayEquals(new byte[] {4, 5, 6}, copy);
        assertEquals(sources[2], gather.source());
        assertEquals(1, gather.position());
        assertEquals(2, gather.available());
        assertEquals(3, gather.end());
        assertEquals(3, sources[0].position());
        assertEquals(1, sources[2].position());
        assertEquals(0, sources[3].position());
    }

    @Test
    void nothingOutsideOfTheRangeIsMoved() {
        gather.begin(sources, 0, 3);
        gather.take(5);
        assertEquals(5, gather.end());
        assertEquals(1, sources[3].remaining());
        gather.begin(sources, 3, 0);
        assertEquals(0, gather.end());
        assertEquals(1, sources[3].remaining());
    }

    @Test
    void aBufferThatIsThereTwiceIsCopiedTwice() {
        ByteBuffer twice = ByteBuffer.wrap(new byte[] {1, 2});
        gather.begin(new ByteBuffer[] {twice, twice}, 0, 2);
        byte[] copy = new byte[3];
        gather.copy(ByteBuffer.wrap(copy), 0, 3);
        assertArrayEquals(new byte[] {1, 2, 1}, copy);
        gather.take(3);
        assertEquals(3, gather.end());
        assertEquals(1, twice.position());
    }

    @Test
    void aProgramMayChangeTheArrayMeanwhile() {
        ByteBuffer[] given = sources.clone();
        gather.begin(given, 0, 4);
        gather.take(2);
        Arrays.fill(given, null);
        byte[] copy = new byte[3];
        gather.copy(ByteBuffer.wrap(copy), 0, 3);
        assertArrayEquals(new byte[] {3, 4, 5}, copy);
        gather.take(3);
        assertEquals(5, gather.end());
        assertEquals(1, Gather.remaining(sources, 0, 4));
    }

    @Test
    void moreBuffersThanBeforeAreTakenInOrder() {
        for (int count : new int[] {3, 40, 2000, 5}) {
            ByteBuffer[] many = new ByteBuffer[count];
            Arrays.setAll(many, i -> ByteBuffer.wrap(new byte[] {(byte) i}));
            assertEquals(count, gather.begin(many, 0, count));
            byte[] copy = new byte[count];
            gather.copy(ByteBuffer.wrap(copy), 0, count);
            for (int i = 0; i < count; i++) {
                assertEquals((byte) i, copy[i]);
            }
            gather.take(count);
            assertEquals(count, gather.end());
            assertEquals(0, Gather.remaining(many, 0, count));
        }
    }

    @Test
    void anArrayWithoutABufferIsRefusedBeforeAnythingIsTaken() {
        sources[2] = null;
        assertThrows(NullPointerException.class, () -> gather.begin(sources, 0, 4));
        assertEquals(2, gather.begin(sources, 0, 2));
        gather.take(2);
        assertEquals(2, gather.end());
    }
}
