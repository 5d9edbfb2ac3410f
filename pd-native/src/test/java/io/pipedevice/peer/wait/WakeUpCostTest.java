// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class WakeUpCostTest {
    private final WakeUpCost cost = new WakeUpCost();

    @Test
    void isAnAverage() {
        assertEquals(WakeUpCost.UNMEASURED_NS, cost.nanos());
        for (int i = 0; i < 100; i++) {
            cost.measured(8000);
        }
        assertEquals(8000, (double) cost.nanos(), 10);
    }

    @Test
    void measurementsOutOfRangeAreClamped() {
        for (long ns : new long[] {Long.MIN_VALUE, -1, 0}) {
            for (int i = 0; i < 200; i++) {
                cost.measured(ns);
            }
            assertEquals(1000, (double) cost.nanos(), 10);
        }
        for (int i = 0; i < 200; i++) {
            cost.measured(Long.MAX_VALUE);
        }
        assertEquals(100_000, (double) cost.nanos(), 10);
    }
}
