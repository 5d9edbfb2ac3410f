// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The selected keys are a set like any other, but the program cannot add keys. */
class SelectedKeysTest {
    private final SelectedKeys keys = new SelectedKeys();

    private static List<PdSelectionKey> some(int count) throws Exception {
        List<PdSelectionKey> some = new ArrayList<>();
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink()) {
            assertTrue(sink.isOpen());
            for (int i = 0; i < count; i++) {
                some.add(new PdSelectionKey(null, null, source));
            }
        }
        return some;
    }

    @Test
    void behavesAsAHashSet() throws Exception {
        long seed = Long.getLong("pipedevice.test.seed", System.nanoTime());
        System.out.println("SelectedKeysTest -Dpipedevice.test.seed=" + seed);
        Random random = new Random(seed);
        List<PdSelectionKey> all = some(50);
        Set<SelectionKey> oracle = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            PdSelectionKey key = all.get(random.nextInt(all.size()));
            assertEquals(oracle.contains(key), keys.contains(key));
            switch (random.nextInt(10)) {
                case 0 -> {
                    boolean odd = random.nextBoolean();
                    assertEquals(
                            oracle.removeIf(each -> all.indexOf(each) % 2 == 1 == odd),
                            keys.removeIf(each -> all.indexOf(each) % 2 == 1 == odd));
                }
                case 1, 2, 3 -> assertEquals(oracle.remove(key), keys.remove(key));
                default -> {
                    if (oracle.add(key)) {
                        keys.select(key);
                    }
                }
            }
            assertEquals(oracle, keys);
        }
        keys.clear();
        assertTrue(keys.isEmpty());
        assertFalse(keys.contains(all.get(0)));
    }

    @Test
    void iteratorKeepsTheRules() throws Exception {
        List<PdSelectionKey> two = some(2);
        keys.select(two.get(0));
        Iterator<SelectionKey> iterator = keys.iterator();
        assertThrows(IllegalStateException.class, iterator::remove);
        iterator.next();
        iterator.remove();
        assertThrows(IllegalStateException.class, iterator::remove);
        assertThrows(NoSuchElementException.class, iterator::next);
        keys.select(two.get(0));
        Iterator<SelectionKey> late = keys.iterator();
        keys.select(two.get(1));
        assertThrows(ConcurrentModificationException.class, late::next);
        assertThrows(UnsupportedOperationException.class, () -> keys.add(two.get(0)));
    }
}
