// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import java.util.random.RandomGenerator;

/**
 * Numbers of which few are frequent, as YCSB chooses them (Gray et al., SIGMOD '94). The frequent ones are spread over
 * all numbers. Immutable.
 */
final class Zipf {
    /** YCSB's constant. */
    static final double THETA = 0.99;

    private final long count;
    private final double zeta;
    private final double alpha;
    private final double eta;

    /** Numbers from 0 to below a count of 2 or more. */
    Zipf(long count) {
        this.count = count;
        double sum = 0;
        for (long i = 1; i <= count; i++) {
            sum += 1 / Math.pow((double) i, THETA);
        }
        zeta = sum;
        alpha = 1 / (1 - THETA);
        eta = (1 - Math.pow(2.0 / count, 1 - THETA)) / (1 - (1 + Math.pow(0.5, THETA)) / zeta);
    }

    /** The next number. */
    long next(RandomGenerator random) {
        return Long.remainderUnsigned(Mix.mix(rank(random)), count);
    }

    /** The next rank: 0 is the most frequent number. */
    long rank(RandomGenerator random) {
        double u = random.nextDouble();
        double scaled = u * zeta;
        if (scaled < 1) {
            return 0;
        }
        if (scaled < 1 + Math.pow(0.5, THETA)) {
            return 1;
        }
        return Math.min(count - 1, (long) (count * Math.pow(eta * u - eta + 1, alpha)));
    }
}
