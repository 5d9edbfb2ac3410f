// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.RandomCode;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random programs end in the same way, compiled and in the interpreter: results, faults with registers, memory, fuel.
 */
class RandomProgramsTest {
    private static final int SECONDS = Integer.getInteger("pipedevice.test.random.seconds", 2);
    private static final long SEED = Long.getLong("pipedevice.test.seed", System.nanoTime());

    @Test
    void compiledProgramsDoWhatTheInterpreterDoes() throws Exception {
        System.out.println("random programs: -Dpipedevice.test.seed=" + SEED);
        int programs = 0;
        int ended = 0;
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        for (; programs < 50 || System.nanoTime() < end; programs++) {
            Random random = new Random(SEED + programs);
            int length = random.nextInt(40) == 0 ? 3000 : random.nextInt(4) == 0 ? 200 : 20;
            byte[] code = RandomCode.runnable(random, 1 + random.nextInt(4), length);
            // half of the programs have functions of many parts
            int most = random.nextBoolean() ? CodeLength.MOST : random.nextInt(400);
            try (Comparison comparison = new Comparison(code, most)) {
                for (int limit : new int[] {40, 3000, 1000}) {
                    long fuel = random.nextInt(limit);
                    String expected = comparison.interpreted(fuel);
                    String message = "-Dpipedevice.test.seed=" + (SEED + programs) + ", fuel " + fuel;
                    assertEquals(expected, comparison.compiled(fuel), message);
                    ended += expected.startsWith("r0=") ? 1 : 0;
                }
            }
        }
        System.out.println("random programs: " + programs + ", of whose runs " + ended + " had a result");
        assertTrue(ended > programs / 4, "too few programs do something");
    }
}
