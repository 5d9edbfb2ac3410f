// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class AddressRangesTest {
    private final AddressRanges<String> ranges = new AddressRanges<>();

    @Test
    void aRangeIsCoveredIfOnePieceHasAllOfIt() {
        ranges.add(1000, 100, "a");
        ranges.add(1100, 100, "b");
        assertEquals("a", ranges.covering(1000, 100));
        assertEquals("a", ranges.covering(1099, 1));
        assertEquals("b", ranges.covering(1100, 1));
        assertNull(ranges.covering(1099, 2), "both have a part");
        assertNull(ranges.covering(1000, 101));
        assertNull(ranges.covering(999, 1));
        assertNull(ranges.covering(1200, 1));
        assertNull(ranges.covering(1000, Long.MAX_VALUE));
        assertNull(ranges.covering(Long.MAX_VALUE, 1));
        assertNull(ranges.covering(-1, 1));
        assertNull(ranges.covering(Long.MIN_VALUE, 1));
        assertNull(new AddressRanges<String>().covering(0, 1));
    }

    @Test
    void aPieceIsRemovedByItsFirstAddress() {
        ranges.add(1000, 100, "a");
        assertFalse(ranges.remove(1001));
        assertFalse(ranges.remove(999));
        assertTrue(ranges.remove(1000));
        assertFalse(ranges.remove(1000));
        assertNull(ranges.covering(1000, 1));
    }

    @Test
    void manyPiecesAreFoundWhateverTheOrder() {
        long seed = System.nanoTime();
        System.out.println("address ranges: seed " + seed);
        Random random = new Random(seed);
        TreeMap<Long, String> expected = new TreeMap<>();
        for (int i = 0; i < 2000; i++) {
            long address = random.nextInt(300) * 10L;
            if (expected.remove(address) != null) {
                assertTrue(ranges.remove(address));
            } else {
                expected.put(address, "at " + address);
                ranges.add(address, 10, "at " + address);
            }
            long probe = random.nextInt(3100);
            Map.Entry<Long, String> floor = expected.floorEntry(probe);
            String found = floor != null && probe - floor.getKey() < 10 ? floor.getValue() : null;
            assertEquals(found, ranges.covering(probe, 1));
        }
        List<String> visited = new ArrayList<>();
        ranges.forEach(visited::add);
        assertEquals(List.copyOf(expected.values()), visited);
    }
}
