// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The flags and the time limit in one word. */
class CallFlagsTest {
    @Test
    void aTimeLimitIsRoundedUpToMicroseconds() {
        assertEquals(1000, CallFlags.limitNs(CallFlags.limit(1)));
        assertEquals(1000, CallFlags.limitNs(CallFlags.limit(1000)));
        assertEquals(2000, CallFlags.limitNs(CallFlags.limit(1001)));
        assertEquals(CallFlags.MOST_LIMIT_NS, CallFlags.limitNs(CallFlags.limit(CallFlags.MOST_LIMIT_NS)));
    }

    @Test
    void flagsAndLimitDoNotTouch() {
        long limit = CallFlags.limit(CallFlags.MOST_LIMIT_NS);
        long all = CallFlags.HOST | CallFlags.RESUME | CallFlags.MOVABLE | CallFlags.RETURNABLE;
        assertEquals(0, limit & all);
        assertEquals(limit, CallFlags.limitOf(limit | all));
        assertEquals(0, CallFlags.limitNs(all));
        assertTrue(CallFlags.areKnown(limit | all));
        assertFalse(CallFlags.areKnown(16));
        assertFalse(CallFlags.areKnown(1L << 31));
    }

    @Test
    void aCallIsOverAfterItsLimitAlsoWhereTheClockOverflows() {
        long limit = CallFlags.limit(5000);
        for (long posted : new long[] {0, 77, -3, Long.MAX_VALUE - 10, Long.MIN_VALUE}) {
            assertFalse(CallFlags.isOver(limit, posted, posted + 5000));
            assertTrue(CallFlags.isOver(limit, posted, posted + 5001));
            assertFalse(CallFlags.isOver(limit, posted, posted - 1));
            assertFalse(CallFlags.isOver(0, posted, posted + 5001));
        }
        assertTrue(CallFlags.isOver(-1, 0, Long.MAX_VALUE));
    }
}
