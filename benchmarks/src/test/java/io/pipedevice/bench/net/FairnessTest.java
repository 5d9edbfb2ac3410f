// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FairnessTest {
    /** The figures of two seconds. */
    private static Map<Metric, Double> of(long[] before, long[] after) {
        return Fairness.of(new Shares(5, before), new Shares(2_000_000_005L, after));
    }

    @Test
    void equalSharesHaveNoDeviation() {
        Map<Metric, Double> figures = of(new long[] {5, 7, 9}, new long[] {105, 107, 109});
        assertEquals(1, figures.get(Metric.JAIN), 1e-9);
        assertEquals(0, figures.get(Metric.DEVIATION), 1e-9);
    }

    @Test
    void deviationIsOfTheBytesPerSecond() {
        Map<Metric, Double> figures = of(new long[] {0, 0}, new long[] {100, 300});
        assertEquals(50, figures.get(Metric.DEVIATION), 1e-9);
        assertEquals(0.8, figures.get(Metric.JAIN), 1e-9);
    }
}
