// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ReceiveBufferTableTest {
    private static final int RING = 4096;
    private static final int ENTRIES = 16;

    private final ReceiveBufferTable table = new ReceiveBufferTable(RING, ENTRIES);

    @Test
    void reservesWhatFitsBeforeTheEndAndBeforeTheReader() {
        assertEquals(0, table.reserve(3000));
        assertEquals(1, table.reserve(3000));
        assertEquals(3000, table.size(0));
        assertEquals(RING - 3000, table.size(1), "up to the end");
        assertEquals(3000, table.pointer(1));
        assertEquals(RING, table.total(1));
        assertEquals(ReceiveBufferTable.FULL, table.reserve(1));
        assertEquals(0, table.free());
        assertTrue(table.complete(0));
        assertTrue(table.consume(1000));
        assertEquals(2, table.reserve(5000));
        assertEquals(0, table.pointer(2));
        assertEquals(1000, table.size(2), "up to the reader");
        assertEquals(ReceiveBufferTable.FULL, table.reserve(1));
    }

    @Test
    void hasAtMostItsNumberOfCopiesInFlight() {
        for (int i = 0; i < ENTRIES; i++) {
            assertEquals(i, table.reserve(1));
        }
        assertEquals(ReceiveBufferTable.FULL, table.reserve(1));
        assertTrue(table.complete(1));
        assertEquals(ReceiveBufferTable.FULL, table.reserve(1), "the first is not done");
        assertTrue(table.complete(0));
        assertEquals(ENTRIES - 2, table.inFlight());
        assertEquals(ENTRIES, table.reserve(1));
    }

    @Test
    void becomesReadableInTheOrderOfTheStream() {
        for (int i = 0; i < 3; i++) {
            assertEquals(i, table.reserve(100));
        }
        assertTrue(table.complete(2));
        assertTrue(table.complete(1));
        assertEquals(0, table.produced());
        assertTrue(table.complete(0));
        assertEquals(300, table.produced());
    }

    @Test
    void refusesCompletionsThatNobodyWaitsFor() {
        assertFalse(table.complete(0));
        assertEquals(0, table.reserve(1));
        assertEquals(1, table.reserve(1));
        assertFalse(table.complete(2));
        assertFalse(table.complete(0xFFFF));
        assertTrue(table.complete(1));
        assertFalse(table.complete(1), "twice, while another is in flight");
        assertTrue(table.complete(0));
        assertFalse(table.complete(0), "twice");
        for (int entry = 0; entry <= 0xFFFF; entry++) {
            assertFalse(table.complete(entry));
        }
        assertEquals(2, table.produced());
    }

    @Test
    void refusesAReadersCountThatCannotBe() {
        assertEquals(0, table.reserve(100));
        assertFalse(table.consume(1), "not produced");
        assertTrue(table.complete(0));
        assertTrue(table.consume(60));
        for (long count : new long[] {59, 0, -1, Long.MIN_VALUE, 101, Long.MAX_VALUE}) {
            assertFalse(table.consume(count), () -> "consumed " + count);
            assertEquals(60, table.consumed());
        }
        assertTrue(table.consume(60));
        assertTrue(table.consume(100));
        assertEquals(RING, table.free());
    }

    @Test
    void refusesBadParameters() {
        assertThrows(IllegalArgumentException.class, () -> table.reserve(0));
        assertThrows(IllegalArgumentException.class, () -> table.reserve(-1));
        assertThrows(IllegalArgumentException.class, () -> new ReceiveBufferTable(1000, 16));
        assertThrows(IllegalArgumentException.class, () -> new ReceiveBufferTable(Integer.MIN_VALUE, 16));
        assertThrows(IllegalArgumentException.class, () -> new ReceiveBufferTable(RING, 8));
        assertThrows(IllegalArgumentException.class, () -> new ReceiveBufferTable(RING, 24));
        assertThrows(IllegalArgumentException.class, () -> new ReceiveBufferTable(RING, 1 << 16));
        assertThrows(IllegalArgumentException.class, () -> new ReceiveBufferTable(RING, 1 << 17));
    }

    @Test
    void entriesAreFoundWhenTheTableIsAsLargeAsItCanBe() {
        int entries = 1 << 15;
        ReceiveBufferTable large = new ReceiveBufferTable(1 << 20, entries);
        for (int lap = 0; lap < 4; lap++) {
            int first = lap * entries & 0xFFFF;
            for (int i = 0; i < entries; i++) {
                assertEquals(first + i, large.reserve(1 + i % 3));
            }
            assertEquals(ReceiveBufferTable.FULL, large.reserve(1));
            for (int i = entries - 1; i >= 0; i--) {
                assertEquals(1 + i % 3, large.size(first + i));
                assertTrue(large.complete(first + i));
            }
            assertTrue(large.consume(large.produced()));
        }
    }

    @Test
    void behavesLikeAStream() {
        long seed = System.nanoTime();
        System.out.println("ReceiveBufferTableTest seed " + seed);
        Random random = new Random(seed);
        for (int lap = 0; lap < 20; lap++) {
            new Model(random, 64 << random.nextInt(6), 16 << random.nextInt(4)).run(20_000);
        }
    }

    /** A ring of numbered bytes: no copy may overwrite bytes that the reader has not consumed. */
    private static final class Model {
        private record Copy(int entry, long position) {}

        private final Random random;
        private final int maxEntries;
        private final ReceiveBufferTable table;
        private final byte[] ring;
        private int size;
        private long start;
        private final List<Copy> inFlight = new ArrayList<>();
        private final int largest;
        private int nextEntry;
        private long reserved;

        Model(Random random, int size, int maxEntries) {
            this.random = random;
            this.maxEntries = maxEntries;
            this.table = new ReceiveBufferTable(size, maxEntries);
            this.size = size;
            this.ring = new byte[size * 4];
            this.largest = 1 + random.nextInt(size);
        }

        void run(int steps) {
            for (int i = 0; i < steps; i++) {
                switch (random.nextInt(40)) {
                    case 0 -> grow();
                    case 1, 2, 3, 4, 5, 6, 7, 8, 9 -> reserve(1 + random.nextInt(largest));
                    case 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 -> consume();
                    default -> complete();
                }
                assertEquals(size - (int) (reserved - table.consumed()), table.free());
                assertTrue(table.inFlight() >= inFlight.size() && table.inFlight() <= maxEntries);
            }
            while (!inFlight.isEmpty()) {
                complete();
            }
            assertEquals(reserved, table.produced());
            assertEquals(0, table.inFlight());
        }

        /** Begins the ring again, or makes it larger, where the bytes in it allow that. */
        private void grow() {
            boolean empty = reserved == table.consumed();
            if (random.nextBoolean()) {
                assertEquals(empty, table.restart());
                start = empty ? reserved : start;
            } else if (reserved - start > size) {
                assertThrows(IllegalStateException.class, () -> table.grow(size * 2));
            } else if (size < ring.length) {
                size *= 2;
                table.grow(size);
                assertEquals(size, table.ringSize());
            }
            assertEquals(start, table.start());
            int room = 1 + random.nextInt(size);
            assertEquals(reserved - start + room > size, table.reachesEnd(room));
        }

        private int offset(long position) {
            return (int) ((position - start) % size);
        }

        private void reserve(int length) {
            boolean full = table.free() == 0 || table.inFlight() == maxEntries;
            int free = table.free();
            int entry = table.reserve(length);
            if (full) {
                assertEquals(ReceiveBufferTable.FULL, entry);
                return;
            }
            assertEquals(nextEntry++ & 0xFFFF, entry);
            int offset = offset(reserved);
            assertEquals(offset, table.pointer(entry));
            assertEquals(Math.min(Math.min(length, free), size - offset), table.size(entry));
            inFlight.add(new Copy(entry, reserved));
            reserved += table.size(entry);
            assertEquals(reserved - table.consumed(), table.total(entry));
        }

        private void complete() {
            if (inFlight.isEmpty()) {
                return;
            }
            Copy copy = inFlight.remove(random.nextInt(inFlight.size()));
            int entry = copy.entry;
            for (int k = 0; k < table.size(entry); k++) {
                ring[table.pointer(entry) + k] = (byte) ((copy.position + k) * 31);
            }
            assertTrue(table.complete(entry));
            assertFalse(table.complete(entry), "twice");
            long readable = inFlight.stream().mapToLong(Copy::position).min().orElse(reserved);
            assertEquals(readable, table.produced());
        }

        private void consume() {
            assertFalse(table.consume(table.consumed() - 1 - random.nextInt(10)));
            assertFalse(table.consume(table.produced() + 1 + random.nextInt(10)));
            long count = table.consumed() + random.nextInt((int) (table.produced() - table.consumed()) + 1);
            for (long position = table.consumed(); position < count; position++) {
                assertEquals((byte) (position * 31), ring[offset(position)]);
            }
            assertTrue(table.consume(count));
        }
    }
}
