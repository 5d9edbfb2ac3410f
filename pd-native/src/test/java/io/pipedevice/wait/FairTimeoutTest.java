// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FairTimeoutTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long BEGIN = Long.MAX_VALUE - SECOND / 2;

    /** Of two processors; the waiting thread is one of the threads. */
    private static FairTimeout among(int threads, long most) {
        return new FairTimeout(BEGIN, SECOND, most, new Processors(() -> threads, 2));
    }

    @Test
    void itIsTheClocksWhereEachThreadHasAProcessor() {
        FairTimeout timeout = among(3, 4 * SECOND);
        assertEquals(BEGIN + SECOND, timeout.untilNs());
        assertFalse(timeout.goesOn(BEGIN + SECOND));
    }

    @Test
    void onlyThePartCountsInWhichAThreadRuns() {
        FairTimeout timeout = among(5, 4 * SECOND);
        assertTrue(timeout.goesOn(BEGIN + SECOND));
        assertEquals(BEGIN + SECOND + SECOND / 2, timeout.untilNs());
        assertTrue(timeout.goesOn(timeout.untilNs()));
        assertEquals(BEGIN + 2 * SECOND - SECOND / 4, timeout.untilNs());
    }

    /** The rest gets shorter and shorter, but not the steps. */
    @Test
    void itEndsAlthoughEachStepIsAPart() {
        FairTimeout timeout = among(5, 4 * SECOND);
        int steps = 1;
        for (long now = timeout.untilNs(); timeout.goesOn(now); now = timeout.untilNs()) {
            assertTrue(timeout.untilNs() - now >= FairTimeout.STEP_NS);
            steps++;
        }
        assertEquals(7, steps);
    }

    @Test
    void theClockBoundsIt() {
        FairTimeout timeout = among(1001, SECOND + SECOND / 4);
        assertTrue(timeout.goesOn(BEGIN + SECOND));
        assertEquals(BEGIN + SECOND + SECOND / 4, timeout.untilNs());
        assertFalse(timeout.goesOn(timeout.untilNs()));
    }

    @Test
    void lookingOftenEndsNoStep() {
        FairTimeout timeout = among(5, 4 * SECOND);
        for (int i = 1; i < 10; i++) {
            assertFalse(timeout.isOver(BEGIN + SECOND / 10 * i));
        }
        assertEquals(BEGIN + SECOND, timeout.untilNs());
        assertFalse(timeout.isOver(BEGIN + SECOND));
        assertEquals(BEGIN + SECOND + SECOND / 2, timeout.untilNs());
        assertTrue(among(3, 4 * SECOND).isOver(BEGIN + SECOND));
    }

    @Test
    void anUnknownNumberOfThreadsIsNone() {
        assertFalse(among(0, 4 * SECOND).goesOn(BEGIN + SECOND));
    }

    @Test
    void aTimeoutOfNothingIsOverAtOnce() {
        FairTimeout timeout = new FairTimeout(BEGIN, 0, 0, new Processors(() -> 5, 2));
        assertEquals(BEGIN, timeout.untilNs());
        assertFalse(timeout.goesOn(BEGIN));
    }
}
