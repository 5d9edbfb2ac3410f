// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SendBufferTableTest {
    private static final int RING = 4096;
    private static final int BLOCKS = 64;

    private final SendBufferTable table = new SendBufferTable(RING, BLOCKS);

    @Test
    void blocksOfEqualSizeLieBackToBack() {
        for (int i = 0; i < RING / 64; i++) {
            long block = table.allocate(64);
            assertEquals(i, block);
            assertEquals(i * 64, table.pointer(block));
            assertEquals(64, table.size(block));
            assertEquals((i + 1) * 64, table.total(block));
        }
        assertEquals(SendBufferTable.FULL, table.allocate(1));
        assertEquals(RING, table.used());
        assertEquals(RING / 64, table.blocks());
    }

    @Test
    void hasAtMostItsNumberOfBlocks() {
        for (int i = 0; i < BLOCKS; i++) {
            assertTrue(table.allocate(1) >= 0);
        }
        assertEquals(SendBufferTable.FULL, table.allocate(1));
        assertTrue(table.release(0));
        table.reclaim(0);
        assertEquals(BLOCKS, table.allocate(1));
        assertEquals(SendBufferTable.FULL, table.allocate(1));
    }

    @Test
    void spaceIsReclaimedInOrder() {
        long first = table.allocate(1000);
        long second = table.allocate(1000);
        long third = table.allocate(1000);
        assertTrue(table.release(second));
        table.reclaim(0);
        assertEquals(3000, table.used());
        assertTrue(table.release(first));
        table.reclaim(0);
        assertEquals(1000, table.used());
        assertTrue(table.isAllocated(third));
        assertFalse(table.isAllocated(first));
        assertFalse(table.isAllocated(second));
    }

    @Test
    void aReleasedBlockWaitsForItsLastSend() {
        long block = table.allocate(8);
        table.sent(block, 1);
        table.sent(block, 5);
        assertEquals(5, table.lastSend(block));
        assertTrue(table.release(block));
        table.reclaim(4);
        assertEquals(1, table.blocks());
        table.reclaim(5);
        assertEquals(0, table.blocks());
    }

    @Test
    void aBlockThatDoesNotFitBeforeTheEndStartsAtTheBeginning() {
        long first = table.allocate(1000);
        long second = table.allocate(2000);
        assertTrue(table.release(first));
        table.reclaim(0);
        long third = table.allocate(500);
        assertEquals(3000, table.pointer(third));
        long fourth = table.allocate(1000);
        assertEquals(0, table.pointer(fourth));
        assertEquals(2000 + 504 + RING - 3504 + 1000, table.total(fourth));
        assertEquals(SendBufferTable.FULL, table.allocate(1));
        assertTrue(table.release(second));
        table.reclaim(0);
        assertEquals(1000, table.pointer(table.allocate(2000)));
    }

    @Test
    void anEmptyRingTakesABlockOfItsSizeWhereverItStopped() {
        for (int size = 1; size < 100; size++) {
            assertTrue(table.release(table.allocate(size)));
            table.reclaim(0);
            long whole = table.allocate(RING);
            assertEquals(0, table.pointer(whole));
            assertTrue(table.release(whole));
            table.reclaim(0);
        }
    }

    @Test
    void refusesSizesThatNoRingHolds() {
        for (int size : new int[] {0, -1, Integer.MIN_VALUE, RING + 1, Integer.MAX_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> table.allocate(size), () -> "size " + size);
        }
        assertEquals(0, table.used());
        assertEquals(0, table.blocks());
    }

    @Test
    void refusesBadGeometry() {
        assertThrows(IllegalArgumentException.class, () -> new SendBufferTable(1000, 64));
        assertThrows(IllegalArgumentException.class, () -> new SendBufferTable(Integer.MIN_VALUE, 64));
        assertThrows(IllegalArgumentException.class, () -> new SendBufferTable(RING, 32));
        assertThrows(IllegalArgumentException.class, () -> new SendBufferTable(RING, 100));
    }

    @Test
    void recognisesNumbersThatAreNotAllocatedBlocks() {
        long block = table.allocate(8);
        List<Long> foreign = new ArrayList<>(List.of(-1L, block + 1, block + BLOCKS, Long.MAX_VALUE, Long.MIN_VALUE));
        for (int bit = 6; bit < 64; bit++) {
            foreign.add(block | 1L << bit);
        }
        for (long number : foreign) {
            assertFalse(table.isAllocated(number), () -> "block " + number);
            assertFalse(table.release(number), () -> "block " + number);
        }
        assertTrue(table.release(block));
        assertFalse(table.release(block), "twice");
        table.reclaim(0);
        assertFalse(table.release(block), "reclaimed");
        for (int i = 0; i < BLOCKS; i++) {
            assertTrue(table.allocate(8) != block);
            assertFalse(table.release(block), "its entry is another block's");
        }
    }

    /** A block that the table should hold by its documented rules. */
    private static final class Block {
        final long number;
        final int pointer;
        final int size;
        final int span;
        long lastSend;
        boolean released;

        Block(long number, int pointer, int size, int span) {
            this.number = number;
            this.pointer = pointer;
            this.size = size;
            this.span = span;
        }

        boolean overlaps(Block other) {
            return pointer < other.pointer + other.size && other.pointer < pointer + size;
        }
    }

    @Test
    void behavesLikeItsModel() {
        long seed = System.nanoTime();
        System.out.println("SendBufferTableTest seed " + seed);
        Random random = new Random(seed);
        for (int lap = 0; lap < 20; lap++) {
            new Model(random, 256 << random.nextInt(6), 64 << random.nextInt(3)).run(5000);
        }
    }

    private static final class Model {
        private final Random random;
        private int ring;
        private final int maxBlocks;
        private final SendBufferTable table;
        private final ArrayDeque<Block> blocks = new ArrayDeque<>();
        private final List<Long> gone = new ArrayList<>();
        private final int largest;
        private long next;
        private int used;
        private int tail;

        /** Bytes since the ring was empty, with the gaps. */
        private int sinceEmpty;

        private long sends;
        private long completed;

        Model(Random random, int ring, int maxBlocks) {
            this.random = random;
            this.ring = ring;
            this.maxBlocks = maxBlocks;
            this.table = new SendBufferTable(ring, maxBlocks);
            this.largest = 1 + random.nextInt(ring);
        }

        void run(int steps) {
            for (int i = 0; i < steps; i++) {
                switch (random.nextInt(50)) {
                    case 0 -> grow();
                    case 1, 2, 3, 4, 5, 6, 7, 8, 9 -> send();
                    case 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 -> reclaim();
                    case 20, 21, 22, 23, 24, 25, 26, 27, 28, 29 -> allocate(1 + random.nextInt(largest));
                    default -> release();
                }
                check();
            }
        }

        /** Makes the ring larger, unless a block went beyond its end since it was empty. */
        private void grow() {
            int room = 1 + random.nextInt(ring);
            assertEquals((blocks.isEmpty() ? 0 : sinceEmpty) + room > ring, table.reachesEnd(room));
            if (!blocks.isEmpty() && sinceEmpty > ring) {
                assertThrows(IllegalStateException.class, () -> table.grow(ring * 2));
            } else if (ring < 1 << 20) {
                tail = blocks.isEmpty() ? 0 : sinceEmpty;
                ring *= 2;
                table.grow(ring);
            }
        }

        private void allocate(int size) {
            int aligned = size + 7 & -8;
            if (blocks.isEmpty()) {
                tail = 0;
                sinceEmpty = 0;
            }
            int gap = tail + aligned > ring ? ring - tail : 0;
            long number = table.allocate(size);
            if (used + gap + aligned > ring || blocks.size() == maxBlocks) {
                assertEquals(SendBufferTable.FULL, number);
                checkSendToAwait(size, gap + aligned);
                return;
            }
            assertEquals(next++, number);
            used += gap + aligned;
            sinceEmpty += gap + aligned;
            Block block = new Block(number, table.pointer(number), size, gap + aligned);
            assertEquals(gap == 0 ? tail : 0, block.pointer);
            assertTrue(block.pointer % SendBufferTable.ALIGNMENT == 0 && block.pointer + size <= ring);
            assertEquals(size, table.size(number));
            assertEquals(used, table.total(number));
            for (Block other : blocks) {
                assertFalse(block.overlaps(other));
            }
            blocks.add(block);
            tail = (block.pointer + aligned) % ring;
        }

        /** Once that send is completed, the block fits, or a block that is not released is in the way. */
        private void checkSendToAwait(int size, int span) {
            long send = table.sendToAwait(size);
            assertEquals(!blocks.getFirst().released, send == SendBufferTable.NEVER);
            int room = ring - used;
            int left = blocks.size();
            boolean obstructed = false;
            for (Block block : blocks) {
                obstructed |= !block.released || block.lastSend > send;
                if (!obstructed) {
                    room += block.span;
                    left--;
                }
            }
            boolean fits = left == 0 || (room >= span && left < maxBlocks);
            assertTrue(fits || blocks.stream().anyMatch(block -> !block.released), "waits for too little");
        }

        private Block any() {
            return blocks.stream()
                    .skip(random.nextInt(blocks.size()))
                    .findFirst()
                    .orElseThrow();
        }

        private void send() {
            Block block = blocks.isEmpty() ? null : any();
            if (block != null && !block.released) {
                block.lastSend = ++sends;
                table.sent(block.number, sends);
            }
        }

        private void release() {
            if (!blocks.isEmpty()) {
                Block block = any();
                assertEquals(!block.released, table.release(block.number));
                block.released = true;
            }
            if (!gone.isEmpty()) {
                assertFalse(table.release(gone.get(random.nextInt(gone.size()))));
            }
        }

        private void reclaim() {
            completed += random.nextInt((int) (sends - completed) + 1);
            table.reclaim(completed);
            while (!blocks.isEmpty() && blocks.peek().released && blocks.peek().lastSend <= completed) {
                used -= blocks.peek().span;
                gone.add(blocks.remove().number);
            }
        }

        private void check() {
            assertEquals(used, table.used());
            assertEquals(blocks.size(), table.blocks());
            for (Block block : blocks) {
                assertEquals(!block.released, table.isAllocated(block.number));
                assertEquals(block.lastSend, table.lastSend(block.number));
            }
        }
    }

    @Test
    void aPieceOfAStreamEndsWhereTheRingEnds() {
        SendBufferTable table = new SendBufferTable(16384, 64);
        assertEquals(16384, table.fit(16384));
        long first = table.allocate(8192);
        table.allocate(4000);
        assertEquals(4192, table.fit(5000), "up to the end, nothing is free after it");
        table.release(first);
        table.reclaim(0);
        assertEquals(4192, table.fit(5000), "up to the end, rather than a gap of 4192 bytes");
        table.allocate(4096);
        assertEquals(50, table.fit(50));
        assertEquals(1000, table.fit(1000), "a gap of 96 bytes, rather than two blocks");
        assertEquals(96, table.fit(8193), "no room for it after a gap");
        table.allocate(96);
        assertEquals(8192, table.fit(10000));
        table.allocate(8192);
        assertEquals(0, table.fit(1));
    }
}
