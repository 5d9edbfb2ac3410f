// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A list of linked entries does what a list of the JDK does. */
class LinkedEntriesTest {
    private static final class Named extends LinkedEntries.Entry<Named> {}

    @Test
    void entriesKeepTheirOrderWhateverIsAddedAndRemoved() {
        long seed = System.nanoTime();
        System.out.println("linked entries: seed " + seed);
        Random random = new Random(seed);
        LinkedEntries<Named> entries = new LinkedEntries<>();
        Deque<Named> expected = new ArrayDeque<>();
        List<Named> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(new Named());
        }
        for (int i = 0; i < 10_000; i++) {
            Named one = all.get(random.nextInt(all.size()));
            switch (random.nextInt(4)) {
                case 0 -> assertEquals(expected.remove(one), entries.remove(one));
                case 1 -> assertEquals(expected.poll(), entries.poll());
                case 2 -> {
                    if (!expected.contains(one)) {
                        expected.addFirst(one);
                        entries.addFirst(one);
                    }
                }
                default -> {
                    if (!expected.contains(one)) {
                        expected.addLast(one);
                        entries.addLast(one);
                    }
                }
            }
            List<Named> found = new ArrayList<>();
            for (Named each = entries.first(); each != null; each = each.next) {
                found.add(each);
            }
            assertEquals(new ArrayList<>(expected), found);
            assertEquals(expected.isEmpty(), entries.isEmpty());
        }
    }

    @Test
    void anEntryOfAnotherListIsNotRemoved() {
        LinkedEntries<Named> one = new LinkedEntries<>();
        LinkedEntries<Named> other = new LinkedEntries<>();
        Named entry = new Named();
        one.addLast(entry);
        assertEquals(false, other.remove(entry));
        assertEquals(entry, one.poll());
    }
}
