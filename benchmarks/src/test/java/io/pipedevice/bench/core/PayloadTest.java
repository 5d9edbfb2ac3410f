// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PayloadTest {
    private static final int LENGTH = 8 << 10;

    private final MemorySegment memory = MemorySegment.ofArray(new byte[LENGTH + 3]);

    @Test
    void sumIsThatOfCountingWordsHoweverTheStreamIsCut() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Payload sender = new Payload();
        Payload receiver = new Payload();
        for (int message = 1; message <= 20; message++) {
            sender.fill(memory, 3, LENGTH);
            for (int offset = 0; offset < LENGTH; ) {
                int piece = Math.min(1 + random.nextInt(100), LENGTH - offset);
                receiver.read(memory, 3 + offset, piece);
                offset += piece;
            }
            assertEquals(Payload.sumOf((long) message * LENGTH), receiver.sum(), () -> "seed " + seed);
        }
    }

    @Test
    void sumShowsAChangedByte() {
        Payload receiver = new Payload();
        new Payload().fill(memory, 0, LENGTH);
        memory.set(ValueLayout.JAVA_BYTE, 5000, (byte) 77);
        receiver.read(memory, 0, LENGTH);
        assertNotEquals(Payload.sumOf(LENGTH), receiver.sum());
    }

    @Test
    void sumOfIsTheSumOfCountingWords() {
        assertEquals(0, Payload.sumOf(8));
        assertEquals(1, Payload.sumOf(16));
        assertEquals(1 + 2, Payload.sumOf(24));
        assertEquals(1 + 2 + 3, Payload.sumOf(32));
        assertEquals(499_999_500_000L, Payload.sumOf(8_000_000));
    }
}
