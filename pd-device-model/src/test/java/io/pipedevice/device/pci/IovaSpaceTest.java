// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.pci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.model.FpgaModel;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class IovaSpaceTest {
    private static final long PAGE = 4096;

    private final FpgaModel model = new FpgaModel(new FpgaModel.Context());
    private final IovaSpace space = new IovaSpace(model, 32);

    @AfterEach
    void close() {
        model.close();
    }

    @Test
    void rangesNeverMeetNorTouchWhatIsReserved() {
        long seed = System.nanoTime();
        System.out.println("ranges: seed " + seed);
        Random random = new Random(seed);
        TreeMap<Long, Long> used = new TreeMap<>();
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(5) < 3 || used.isEmpty()) {
                long length = PAGE * (1 + random.nextInt(random.nextBoolean() ? 4 : 16_384));
                try {
                    used.put(checked(space.allocate(length), length, used), length);
                } catch (IOException e) {
                    refused++;
                    free(used, random);
                }
            } else {
                free(used, random);
            }
        }
        assertTrue(refused > 0, "the space was full at times");
        while (!used.isEmpty()) {
            free(used, random);
        }
        try {
            space.allocate(1L << 31);
        } catch (IOException e) {
            throw new AssertionError("the freed ranges are one piece again", e);
        }
    }

    private void free(NavigableMap<Long, Long> used, Random random) {
        Long address = used.ceilingKey((long) random.nextInt() & 0xFFFF_FFFFL);
        if (address == null && !used.isEmpty()) {
            address = used.firstKey();
        }
        if (address != null) {
            used.remove(address);
            space.free(address);
        }
    }

    private long checked(long address, long length, NavigableMap<Long, Long> used) {
        assertEquals(0, address % IovaSpace.ALIGNMENT);
        assertTrue(address > 0 && address + length <= 1L << 32);
        assertEquals(0, model.reservedUntil(address, length));
        Map.Entry<Long, Long> below = used.floorEntry(address);
        Map.Entry<Long, Long> above = used.ceilingEntry(address);
        assertTrue(below == null || below.getKey() + below.getValue() + PAGE <= address, "a page lies between");
        assertTrue(above == null || address + length + PAGE <= above.getKey(), "a page lies between");
        return address;
    }

    @Test
    void whatWasFreedIsUsedAsLateAsCanBe() throws IOException {
        long first = space.allocate(PAGE);
        space.free(first);
        assertNotEquals(first, space.allocate(PAGE));
        assertThrows(IllegalArgumentException.class, () -> space.free(first));
    }
}
