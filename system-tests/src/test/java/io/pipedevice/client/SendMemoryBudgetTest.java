// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.memory.RingBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The send rings of a program with a driver count in the budget of its rings. */
@Timeout(60)
class SendMemoryBudgetTest {
    @Test
    void sendRingsCountUntilTheAttachmentEnds() throws IOException {
        RingBudget budget = RingBudget.process();
        long before = budget.used();
        PdOptions options = new PdOptions().growingRings(true).hugePages(false);
        try (Attached attached = new Attached(new DriverContext(), options);
                Attached.Pair pair = attached.pair()) {
            long first = budget.used();
            assertTrue(first > before, "the first pages of two rings");
            while (pair.client.write(ByteBuffer.allocate(64 << 10)) > 0) {
                Thread.onSpinWait();
            }
            assertTrue(budget.used() > first, "a ring that has grown");
        }
        assertEquals(before, budget.used());
    }
}
