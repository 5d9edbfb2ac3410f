// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Calls that wait first, or attempt first. */
class WaitPredictionTest {
    private final WaitPrediction prediction = new WaitPrediction();

    /** How many attempts some calls make before they wait. */
    private int attempts(int calls, BooleanSupplier finds) {
        int attempts = 0;
        for (int i = 0; i < calls; i++) {
            if (!prediction.waitsFirst()) {
                attempts++;
                prediction.attempted(finds.getAsBoolean());
            }
        }
        return attempts;
    }

    @Test
    void aCallWaitsFirstAfterAnAttemptInVain() {
        assertFalse(prediction.waitsFirst());
        prediction.attempted(false);
        assertTrue(prediction.waitsFirst());
        assertFalse(prediction.waitsFirst());
    }

    @Test
    void callsThatAlwaysHaveToWaitSeldomAttemptFirst() {
        int learning = attempts(200, () -> false);
        assertTrue(learning < 12, () -> learning + " attempts");
        assertEquals(10, attempts(650, () -> false));
    }

    @Test
    void callsThatNeverHaveToWaitAttemptFirst() {
        attempts(200, () -> false);
        assertTrue(attempts(65, () -> true) > 0);
        assertEquals(1000, attempts(1000, () -> true));
    }

    @Test
    void aVirtualThreadAttemptsFirst() throws InterruptedException {
        prediction.attempted(false);
        boolean[] waits = new boolean[1];
        Thread.ofVirtual().start(() -> waits[0] = prediction.waitsFirst()).join();
        assertFalse(waits[0]);
        assertTrue(prediction.waitsFirst());
    }
}
