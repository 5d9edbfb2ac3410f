// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FairTimeoutTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long BEGIN = Long.MAX_VALUE - SECOND / 2;

    /** Of two processors; the waiting thread is one of the threads. */
    private static FairTimeout among(int threads, long most) {
        return new FairTimeout(BEGIN, SECOND, most, new Processors(() -> threads, 2));
    }

    /** Waits until it is over; returns how long that takes by the clock. */
    private static long waited(FairTimeout timeout) {
        long now = timeout.untilNs();
        for (; timeout.goesOn(now); now = timeout.untilNs()) {
            long step = timeout.untilNs() - now;
            assertTrue(step <= FairTimeout.LONGEST_STEP_NS, "a step of " + step);
        }
        return now - BEGIN;
    }

    @Test
    void itIsTheClocksWhereEachThreadHasAProcessor() {
        assertEquals(SECOND, waited(among(3, 4 * SECOND)));
    }

    @Test
    void onlyThePartCountsInWhichAThreadRuns() {
        assertEquals(2 * SECOND, waited(among(5, 4 * SECOND)));
    }

    @Test
    void aMomentWithoutOtherThreadsCountsAsAMoment() throws InterruptedException {
        AtomicInteger counts = new AtomicInteger();
        Processors sometimesFree = new Processors(() -> counts.incrementAndGet() % 5 == 0 ? 1 : 5, 2);
        FairTimeout timeout = new FairTimeout(BEGIN, SECOND, 4 * SECOND, sometimesFree);
        long now = timeout.untilNs();
        for (; timeout.goesOn(now); now = timeout.untilNs()) {
            // The threads are not counted anew at once.
            Thread.sleep(2);
        }
        assertTrue(now - BEGIN >= SECOND + SECOND / 2, "over after " + (now - BEGIN));
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
        assertEquals(12, steps);
    }

    @Test
    void theClockBoundsIt() {
        assertEquals(SECOND + SECOND / 4, waited(among(1001, SECOND + SECOND / 4)));
    }

    @Test
    void lookingOftenEndsNoStep() {
        FairTimeout timeout = among(5, 4 * SECOND);
        long step = FairTimeout.LONGEST_STEP_NS;
        for (int i = 1; i < 10; i++) {
            assertFalse(timeout.isOver(BEGIN + step / 10 * i));
        }
        assertEquals(BEGIN + step, timeout.untilNs());
        assertFalse(timeout.isOver(BEGIN + step));
        assertEquals(BEGIN + 2 * step, timeout.untilNs());
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
