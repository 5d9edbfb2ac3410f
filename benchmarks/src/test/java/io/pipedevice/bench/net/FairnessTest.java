// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FairnessTest {
    @Test
    void equalSharesHaveNoDeviation() {
        Map<Metric, Double> figures = Fairness.of(new long[] {5, 7, 9}, new long[] {105, 107, 109}, 2);
        assertEquals(1, figures.get(Metric.JAIN), 1e-9);
        assertEquals(0, figures.get(Metric.DEVIATION), 1e-9);
    }

    @Test
    void deviationIsOfTheBytesPerSecond() {
        Map<Metric, Double> figures = Fairness.of(new long[] {0, 0}, new long[] {100, 300}, 2);
        assertEquals(50, figures.get(Metric.DEVIATION), 1e-9);
        assertEquals(0.8, figures.get(Metric.JAIN), 1e-9);
    }
}
