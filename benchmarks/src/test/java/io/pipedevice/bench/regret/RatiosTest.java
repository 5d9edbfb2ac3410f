// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RatiosTest {
    private final Ratios ratios = new Ratios();

    @Test
    void rateIsWithByWithoutAndTimeIsTheOtherWayRound() {
        ratios.add(Row.CONNECT, Map.of(Variant.WITHOUT, 100.0, Variant.KERNEL, 50.0, Variant.RINGS, 300.0));
        ratios.add(Row.FIRST_CONNECTION, Map.of(Variant.WITHOUT, 10.0, Variant.KERNEL, 40.0));
        assertEquals(0.5, ratios.median(Row.CONNECT, Variant.KERNEL));
        assertEquals(3, ratios.median(Row.CONNECT, Variant.RINGS));
        assertEquals(0.25, ratios.median(Row.FIRST_CONNECTION, Variant.KERNEL));
        assertFalse(ratios.has(Row.FIRST_CONNECTION, Variant.RINGS));
        assertFalse(ratios.has(Row.CONNECT, Variant.WITHOUT));
    }

    @Test
    void medianOfTheTurnsDecidesWhetherARowIsBelow() {
        for (double with : new double[] {90, 96, 97}) {
            ratios.add(Row.ACCEPT, Map.of(Variant.WITHOUT, 100.0, Variant.KERNEL, with));
        }
        assertEquals(0.96, ratios.median(Row.ACCEPT, Variant.KERNEL));
        assertEquals(0.90, ratios.least(Row.ACCEPT, Variant.KERNEL));
        assertEquals(0.97, ratios.greatest(Row.ACCEPT, Variant.KERNEL));
        assertFalse(ratios.isBelow(Row.ACCEPT, Variant.KERNEL));
        ratios.add(Row.ACCEPT, Map.of(Variant.WITHOUT, 100.0, Variant.KERNEL, 80.0));
        assertTrue(ratios.isBelow(Row.ACCEPT, Variant.KERNEL));
    }

    @Test
    void variantThatFailedOnceHasNoRatiosAndTheOtherKeepsThem() {
        ratios.add(Row.GATHER, Map.of(Variant.WITHOUT, 1.0, Variant.KERNEL, 1.0, Variant.RINGS, 2.0));
        ratios.fail(Row.GATHER, Variant.RINGS, "not accelerated");
        assertFalse(ratios.has(Row.GATHER, Variant.RINGS));
        assertTrue(ratios.has(Row.GATHER, Variant.KERNEL));
        assertEquals(List.of("gather: not accelerated"), ratios.failures());
    }

    @Test
    void rowThatFailedOnceHasNoRatios() {
        ratios.add(Row.GATHER, Map.of(Variant.WITHOUT, 1.0, Variant.KERNEL, 1.0));
        ratios.fail(Row.GATHER, "the client process ended");
        assertEquals(List.of(), ratios.of(Row.GATHER, Variant.KERNEL));
        assertFalse(ratios.isBelow(Row.GATHER, Variant.KERNEL));
        assertEquals(List.of("gather: the client process ended"), ratios.failures());
    }
}
