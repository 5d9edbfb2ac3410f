// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RingBufferPoolTest {
    private static final int LARGE = 1 << 20;
    private static final int SMALL = 1 << 16;

    private final List<String> told = new ArrayList<>();
    private final RingBufferPool.Listener listener = new RingBufferPool.Listener() {
        @Override
        public void created(int number, SharedRegion region) {
            told.add("created " + number);
        }

        @Override
        public void dropped(int number, SharedRegion region) {
            told.add("dropped " + number);
        }
    };

    @Test
    void aSpareRegionOfOtherRingsMakesRoomForThoseThatAreWanted() throws IOException {
        try (RingBufferPool pool = new RingBufferPool("pd-test", RingBufferPool.MIN_REGION, false, listener)) {
            pool.give(pool.take(LARGE));
            RingBuffer small = pool.take(SMALL);
            assertEquals(List.of("created 0", "dropped 0", "created 0"), told);
            assertThrows(QuotaExceededException.class, () -> pool.take(LARGE), "its only region is in use");
            pool.give(small);
            assertEquals(LARGE, pool.take(LARGE).size());
        }
    }

    @Test
    void aSpareRegionIsKeptWhileThereIsRoom() throws IOException {
        try (RingBufferPool pool = new RingBufferPool("pd-test", 2 * RingBufferPool.MIN_REGION, false, listener)) {
            pool.give(pool.take(LARGE));
            pool.take(SMALL);
            assertEquals(List.of("created 0", "created 1"), told);
        }
    }
}
