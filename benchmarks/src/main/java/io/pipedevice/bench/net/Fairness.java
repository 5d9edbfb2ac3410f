// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.Map;

/** How equal the bytes of several connections are. */
final class Fairness {
    private Fairness() {}

    /**
     * Computes the figures of the interval between two times. Its length is by the clock of the shares: what else is
     * measured between the two takes time as well.
     *
     * @param before at the beginning
     * @param after at the end
     */
    static Map<Metric, Double> of(Shares before, Shares after) {
        double seconds = (after.nanos() - before.nanos()) / 1e9;
        int count = before.bytes().length;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            double share = after.bytes()[i] - before.bytes()[i];
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
