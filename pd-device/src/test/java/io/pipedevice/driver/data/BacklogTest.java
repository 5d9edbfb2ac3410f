// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.protocol.DriverPageDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

final class BacklogTest {
    private final MemorySegment page = Arena.ofAuto().allocate(4096, Long.BYTES);
    private final Backlog<String> backlog = new Backlog<>(new Slot(page, 0, page, 2048));

    private long published() {
        return page.get(ValueLayout.JAVA_LONG, DriverPageDescriptor.BACKLOG_OFFSET);
    }

    @Test
    void theOldestComesFirstAndTheNumberIsPublished() {
        backlog.set(2, 0, 0);
        backlog.add("first");
        assertFalse(backlog.isFull());
        backlog.add("second");
        assertTrue(backlog.isFull());
        assertEquals(2, published());
        assertEquals("first", backlog.poll());
        assertEquals(1, published());
        assertEquals("second", backlog.poll());
        assertTrue(backlog.isEmpty());
        assertNull(backlog.poll());
        assertEquals(0, published());
    }

    @Test
    void anotherLimitKeepsThoseThatWait() {
        backlog.set(2, 0, 0);
        backlog.add("first");
        backlog.set(1, 64, 32);
        assertTrue(backlog.isFull());
        assertEquals(64, backlog.ringSize());
        assertEquals(32, backlog.ringStart());
        assertEquals("first", backlog.poll());
    }

    @Test
    void whatIsAbandonedIsNotPublished() {
        backlog.set(1, 0, 0);
        backlog.add("first");
        assertEquals("first", backlog.abandoned().poll());
        assertEquals(1, published());
    }
}
