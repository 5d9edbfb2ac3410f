// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.Memory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RingBufferPoolTest {
    private static final int LARGE = 1 << 20;
    private static final int SMALL = 1 << 16;

    private final List<String> changes = new ArrayList<>();
    private final RingBufferPool.Listener listener = new RingBufferPool.Listener() {
        @Override
        public void created(int number, SharedRegion region) {
            changes.add("created " + number);
        }

        @Override
        public void dropped(int number, SharedRegion region, long allocated) {
            changes.add("dropped " + number);
        }
    };

    @Test
    void aSpareRegionOfOtherRingsMakesRoomForThoseThatAreWanted() throws IOException {
        try (RingBufferPool pool = new RingBufferPool("pd-test", LARGE, false, listener)) {
            pool.give(pool.take(LARGE, LARGE));
            RingBuffer small = pool.take(SMALL, SMALL);
            assertEquals(List.of("created 0", "dropped 0", "created 0"), changes);
            assertThrows(QuotaExceededException.class, () -> pool.take(LARGE, LARGE), "its only region is in use");
            pool.give(small);
            assertEquals(LARGE, pool.take(LARGE, LARGE).size());
        }
    }

    @Test
    void aSpareRegionIsKeptWhileThereIsRoom() throws IOException {
        try (RingBufferPool pool = new RingBufferPool("pd-test", 2 * LARGE, false, listener)) {
            pool.give(pool.take(LARGE, LARGE));
            pool.take(SMALL, SMALL);
            assertEquals(List.of("created 0", "created 1"), changes);
        }
    }

    @Test
    void aRingHasThePagesThatAreUsed() throws IOException {
        List<SharedRegion> regions = new ArrayList<>();
        RingBufferPool.Listener keeps = new RingBufferPool.Listener() {
            @Override
            public void created(int number, SharedRegion region) {
                regions.add(region);
            }

            @Override
            public void dropped(int number, SharedRegion region, long allocated) {}
        };
        try (RingBufferPool pool = new RingBufferPool("pd-test", RingBufferPool.MIN_REGION, false, keeps)) {
            RingBuffer first = pool.take(LARGE, SMALL);
            RingBuffer second = pool.take(LARGE, SMALL);
            assertEquals(2 * SMALL, allocated(regions.getFirst()));
            pool.grow(first, SMALL, LARGE);
            assertEquals(LARGE + SMALL, allocated(regions.getFirst()));
            assertTrue(regions.getFirst().isAllocated(first.offset(), LARGE));
            pool.grow(second, SMALL, 2 * SMALL);
            pool.give(first);
            assertEquals(first.offset(), pool.take(LARGE, SMALL).offset(), "its pages are there already");
            assertEquals(LARGE + 2 * SMALL, allocated(regions.getFirst()));
        }
    }

    @Test
    void preparesThePagesThatAreUsedAtFirst() throws IOException {
        try (RingBufferPool pool = new RingBufferPool("pd-test", RingBufferPool.MIN_REGION, false, listener)) {
            assertFalse(pool.prepare(LARGE, 2 * SMALL, 2, LARGE, SMALL), "a region");
            assertFalse(pool.prepare(LARGE, 2 * SMALL, 2, LARGE, SMALL));
            assertFalse(pool.prepare(LARGE, 2 * SMALL, 2, LARGE, SMALL), "one is ready");
            assertFalse(pool.prepare(LARGE, 2 * SMALL, 2, LARGE, SMALL));
            assertTrue(pool.prepare(LARGE, 2 * SMALL, 2, LARGE, SMALL), "two are ready");
            assertTrue(pool.prepare(LARGE, 2 * SMALL, 2, LARGE, SMALL));
        }
    }

    @Test
    void manyRingsNeedFewRegions() throws IOException {
        try (RingBufferPool pool = new RingBufferPool("pd-test", 1 << 30, false, listener)) {
            for (int i = 0; i < 10_000; i++) {
                pool.take(SMALL, RingBuffer.MIN_SIZE);
            }
            assertEquals(10_000L * RingBuffer.MIN_SIZE, pool.allocatedBytes());
            assertTrue(changes.size() < 64, () -> changes.size() + " regions");
        }
    }

    @Test
    void pagesThatCouldNotBeAllocatedAreNotCounted() throws IOException {
        List<SharedRegion> regions = new ArrayList<>();
        long[] charged = {0};
        RingBufferPool.Listener counts = new RingBufferPool.Listener() {
            @Override
            public void created(int number, SharedRegion region) {
                regions.add(region);
            }

            @Override
            public void allocating(long bytes) {
                charged[0] += bytes;
            }

            @Override
            public void notAllocated(long bytes) {
                charged[0] -= bytes;
            }

            @Override
            public void dropped(int number, SharedRegion region, long allocated) {
                charged[0] -= allocated;
            }
        };
        try (RingBufferPool pool = new RingBufferPool("pd-test", 2 * LARGE, false, counts)) {
            RingBuffer ring = pool.take(LARGE, SMALL);
            assertEquals(SMALL, charged[0]);
            regions.getFirst().closeDescriptor();
            assertThrows(IOException.class, () -> pool.grow(ring, SMALL, LARGE));
            assertEquals(SMALL, charged[0]);
            assertEquals(SMALL, pool.allocatedBytes());
        }
        assertEquals(0, charged[0]);
    }

    @Test
    void wholeRegionsAreCountedWhole() throws IOException {
        try (RingBufferPool pool = new RingBufferPool("pd-test", 1 << 30, false, true, listener, SharedRegion::close)) {
            for (int i = 0; i < 1000; i++) {
                pool.take(SMALL, RingBuffer.MIN_SIZE);
            }
            assertEquals(
                    1000L * SMALL + RingBufferPool.MIN_REGION - 1 & -RingBufferPool.MIN_REGION, pool.allocatedBytes());
        }
    }

    private static long allocated(SharedRegion region) throws IOException {
        return Memory.status(region.fd()).allocatedBytes();
    }
}
