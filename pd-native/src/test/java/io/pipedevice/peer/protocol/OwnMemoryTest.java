// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.RingBudget;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OwnMemoryTest {
    private static final long PAGE = Memory.pageSize();
    private static final long BUDGET = 4 * PAGE;
    private static final long SIZE = 16 * PAGE;

    private final RingBudget budget = new RingBudget(BUDGET);
    private SharedRegion region;
    private OwnMemory memory;

    @BeforeEach
    void create() throws IOException {
        region = SharedRegion.create("pd-own", SIZE, false);
        memory = new OwnMemory(region, budget);
    }

    @AfterEach
    void givesEverythingBack() {
        memory.close();
        memory.close();
        assertEquals(0, budget.used());
    }

    private long allocated() throws IOException {
        return Memory.status(region.fd()).allocatedBytes();
    }

    @Test
    void eachPageCountsOnce() throws IOException {
        memory.allocate(1, PAGE);
        assertEquals(2 * PAGE, budget.used());
        memory.allocate(0, 3 * PAGE);
        memory.allocateInBudget(PAGE, 1);
        assertEquals(3 * PAGE, budget.used());
        assertEquals(3 * PAGE, allocated());
    }

    @Test
    void whatTheBudgetHasNoRoomForIsNotAllocated() throws IOException {
        memory.allocateInBudget(0, 3 * PAGE);
        LinuxException e = assertThrows(LinuxException.class, () -> memory.allocateInBudget(2 * PAGE, 3 * PAGE));
        assertEquals(Errno.ENOMEM, e.errno());
        assertTrue(e.getMessage().contains("pipedevice.rings.max"), e.getMessage());
        assertEquals(3 * PAGE, allocated());
        assertEquals(3 * PAGE, budget.used());
        memory.allocate(2 * PAGE, 3 * PAGE);
        assertEquals(5 * PAGE, budget.used(), "what must not be refused counts beyond the budget");
    }

    @Test
    void whatTheKernelRefusesDoesNotCount() throws IOException {
        memory.allocate(0, PAGE);
        assertThrows(IOException.class, () -> memory.allocate(SIZE - PAGE, 2 * PAGE));
        assertEquals(PAGE, budget.used());
    }
}
