// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ProcessorsTest {
    private int threads;
    private int reads;
    private final Processors processors = new Processors(this::read, 2);
    private final long now = System.nanoTime();

    private int read() {
        reads++;
        return threads;
    }

    @Test
    void asManyThreadsAsProcessorsWantNoOther() {
        threads = 2;
        assertFalse(processors.areWanted(now));
    }

    @Test
    void oneMoreWantsThemForAWhile() {
        threads = 3;
        assertTrue(processors.areWanted(now));
        threads = 1;
        assertTrue(processors.areWanted(now + Processors.WANTED_NS - 1));
        assertFalse(processors.areWanted(now + Processors.WANTED_NS));
    }

    @Test
    void theCountIsReadOnceInAWhile() {
        for (int i = 0; i < 10; i++) {
            processors.areWanted(now + i);
        }
        assertEquals(1, reads);
        processors.areWanted(now + Processors.FRESH_NS);
        assertEquals(2, reads);
    }

    @Test
    void anUnknownCountWantsNone() {
        threads = 0;
        assertFalse(processors.areWanted(now));
    }
}
