// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.Map;

/** How equal the bytes of several connections are. */
final class Fairness {
    private Fairness() {}

    /**
     * Computes the figures of an interval.
     *
     * @param before the bytes of each connection
     * @param after the same at the end
     * @param seconds between the two
     */
    static Map<Metric, Double> of(long[] before, long[] after, double seconds) {
        int count = before.length;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            double share = after[i] - before[i];
            sum += share;
            squares += share * share;
        }
        double mean = sum / count;
        // Rounding may make the variance of equal shares a little less than 0.
        double variance = Math.max(0, squares / count - mean * mean);
        return Map.of(
                Metric.JAIN, sum * sum / (count * squares),
                Metric.DEVIATION, Math.sqrt(variance) / seconds);
    }
}
