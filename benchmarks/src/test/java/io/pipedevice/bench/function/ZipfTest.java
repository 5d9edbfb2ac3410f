// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ZipfTest {
    private static final int COUNT = 1000;
    private static final int SAMPLES = 1_000_000;

    @Test
    void ranksAreAsFrequentAsZipfsLawSays() {
        Zipf zipf = new Zipf(COUNT);
        SplittableRandom random = new SplittableRandom(1);
        double[] frequencies = new double[COUNT];
        for (int i = 0; i < SAMPLES; i++) {
            frequencies[(int) zipf.rank(random)] += 1.0 / SAMPLES;
        }
        double zeta = 0;
        for (int i = 1; i <= COUNT; i++) {
            zeta += Math.pow(i, -Zipf.THETA);
        }
        assertEquals(1 / zeta, frequencies[0], 0.002);
        assertEquals(Math.pow(2, -Zipf.THETA) / zeta, frequencies[1], 0.002);
        // The method is an approximation for the others.
        double tenth = Arrays.stream(frequencies).limit(COUNT / 10).sum();
        double expected = 0;
        for (int i = 1; i <= COUNT / 10; i++) {
            expected += Math.pow(i, -Zipf.THETA) / zeta;
        }
        assertEquals(expected, tenth, 0.02);
    }

    @Test
    void theFrequentNumbersAreNotTheFirstOnes() {
        Zipf zipf = new Zipf(COUNT);
        SplittableRandom random = new SplittableRandom(1);
        int low = 0;
        for (int i = 0; i < SAMPLES; i++) {
            long number = zipf.next(random);
            assertTrue(number >= 0 && number < COUNT);
            low += number < COUNT / 10 ? 1 : 0;
        }
        assertTrue(low < SAMPLES / 3, low + " of " + SAMPLES);
    }
}
