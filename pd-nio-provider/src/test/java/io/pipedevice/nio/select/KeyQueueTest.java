// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyQueueTest {
    private final KeyQueue queue = new KeyQueue();
    private final List<KeyQueue.Link> links =
            List.of(new KeyQueue.Link(null), new KeyQueue.Link(null), new KeyQueue.Link(null));

    private Set<KeyQueue.Link> taken() {
        Set<KeyQueue.Link> all = new HashSet<>();
        KeyQueue.Link link = queue.takeAll();
        while (link != null) {
            all.add(link);
            link = KeyQueue.next(link);
        }
        return all;
    }

    @Test
    void aKeyIsThereOnce() {
        links.forEach(queue::add);
        links.forEach(queue::add);
        assertEquals(Set.copyOf(links), taken());
        assertNull(queue.takeAll());
    }

    @Test
    void whatIsGivenBackIsTakenAgainAndCanBeAddedAgain() {
        links.forEach(queue::add);
        KeyQueue.Link first = queue.takeAll();
        queue.giveBack(first, KeyQueue.next(first));
        assertEquals(Set.copyOf(links), taken());
        links.forEach(queue::add);
        assertEquals(Set.copyOf(links), taken());
    }
}
