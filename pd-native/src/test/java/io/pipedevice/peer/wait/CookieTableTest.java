// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CookieTableTest {
    private static final int LIMIT = 100;

    @Test
    void behavesAsAMapOfSmallNumbers() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        CookieTable<Integer> table = new CookieTable<>(LIMIT);
        Map<Integer, Integer> model = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            if (random.nextInt(100) < 50 + (i >> 9) % 20 - 10) {
                int number = table.add(i);
                if (model.size() == LIMIT) {
                    assertEquals(CookieTable.FULL, number);
                } else {
                    assertTrue(number >= 0 && number < LIMIT, "number " + number);
                    assertNull(model.put(number, i));
                }
            } else if (!model.isEmpty()) {
                Integer number = model.keySet().toArray(Integer[]::new)[random.nextInt(model.size())];
                table.remove(number);
                model.remove(number);
            }
            int any = random.nextInt(LIMIT);
            assertEquals(model.get(any), table.get(any));
        }
        Map<Integer, Integer> visited = new HashMap<>();
        table.forEach(each -> visited.merge(each, 1, Integer::sum));
        assertEquals(model.size(), visited.size());
        model.values().forEach(each -> assertEquals(1, visited.get(each)));
    }

    @Test
    void unknownNumbersFindNothing() {
        CookieTable<Integer> table = new CookieTable<>(LIMIT);
        table.add(1);
        for (int number : new int[] {-1, 1, 99, 100, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertNull(table.get(number));
        }
    }
}
