// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What programs see of connections through rings is what they see of the JDK's own: the same random plans are played on
 * both providers, and every result, exception and byte is compared.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
class RandomComparisonTest {
    private static final int SECONDS = Integer.getInteger("pipedevice.test.random.seconds", 15);
    private static final long SEED = Long.getLong("pipedevice.test.seed", System.nanoTime());
    private static final int THREADS = 3;

    @Test
    void bothEndsInOneProcess() throws Exception {
        compare(THREADS, () -> Theatre.inThisProcess());
    }

    @Test
    void eachEndInAProcessOfItsOwn() throws Exception {
        compare(1, () -> Theatre.inTwoProcesses());
    }

    private static void compare(int threads, Callable<Theatre> theatres) throws Exception {
        System.out.println("-Dpipedevice.test.seed=" + SEED + " -Dpipedevice.test.random.seconds=" + SECONDS);
        AtomicLong seed = new AtomicLong(SEED);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        List<Task<Comparison>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            tasks.add(new Task<>(ThreadKind.PLATFORM, () -> {
                try (Theatre theatre = theatres.call()) {
                    Comparison comparison = new Comparison(theatre);
                    do {
                        comparison.compare(seed.getAndIncrement());
                    } while (System.nanoTime() < end);
                    return comparison;
                }
            }));
        }
        int games = 0;
        for (Task<Comparison> task : tasks) {
            Comparison comparison = task.resultWithin(SECONDS + 120);
            System.out.println(comparison);
            games += comparison.games();
        }
        assertTrue(games > 0);
        long onRings = LocalPlayer.ON_RINGS.sum();
        long all = LocalPlayer.CONNECTIONS.sum();
        System.out.println(games + " games, " + all + " connections, " + onRings + " on rings");
    }
}
