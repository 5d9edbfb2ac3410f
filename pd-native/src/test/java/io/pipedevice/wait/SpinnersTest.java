// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SpinnersTest {
    private final Spinners spinners = new Spinners(2);
    private final long now = System.nanoTime();

    @Test
    void asManyAsPermittedAreNoCrowd() {
        spinners.enter(now);
        spinners.enter(now);
        assertFalse(spinners.isCrowded(now));
    }

    @Test
    void oneMoreMakesACrowdForAWhileAlsoIfItLeaves() {
        spinners.enter(now);
        spinners.enter(now);
        spinners.enter(now);
        spinners.leave();
        assertTrue(spinners.isCrowded(now));
        assertTrue(spinners.isCrowded(now + Spinners.CROWDED_NS - 1));
        assertFalse(spinners.isCrowded(now + Spinners.CROWDED_NS));
    }

    @Test
    void aSpinnerThatLeavesMakesRoom() {
        for (int i = 0; i < 10; i++) {
            spinners.enter(now);
            spinners.leave();
        }
        spinners.enter(now);
        spinners.enter(now);
        assertFalse(spinners.isCrowded(now));
    }
}
