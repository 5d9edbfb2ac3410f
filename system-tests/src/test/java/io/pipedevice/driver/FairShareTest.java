// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process's share of the engine depends neither on the number of another process's sockets, nor on the data that
 * the other sends.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FairShareTest {
    private static final int CONNECTIONS = 1000;

    /** The pair's rate may fall, and its delays may grow, by this factor compared to honest sockets. */
    private static final int FACTOR = 2;

    /**
     * The kernel's scheduler sometimes delays three processes on two processors by this much. When turns were counted
     * in bytes, delays were 275 ms.
     */
    private static final long SCHEDULER_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int ROUNDS = Integer.getInteger("pipedevice.test.fair.rounds", 5);
    private static final int ROUND_MS = Integer.getInteger("pipedevice.test.fair.ms", 150);

    /** As often as this, more rounds follow while the figures are out of bounds. */
    private static final int MORE = 4;

    private static final class Figures {
        private final List<Long> rates = new ArrayList<>();
        private final List<Long> medians = new ArrayList<>();
        private final List<Long> tails = new ArrayList<>();

        private static long median(List<Long> values) {
            return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
        }

        long rate() {
            return median(rates);
        }

        long tail() {
            return median(tails);
        }

        @Override
        public String toString() {
            return String.format(
                    "%.1f MB/s, delay %.1f us, p99 %.1f us", rate() / 1e6, median(medians) / 1e3, tail() / 1e3);
        }
    }

    private static boolean isFair(Figures honest, Figures hostile) {
        return hostile.rate() >= honest.rate() / FACTOR && hostile.tail() <= honest.tail() * FACTOR + SCHEDULER_NS;
    }

    /**
     * Compares medians of alternating rounds, so that other load on the machine affects both. If it has affected one
     * more than the other, more rounds show that.
     */
    @Test
    void aPairBesideAThousandHostileSocketsIsServedAsBesideAThousandHonestOnes() throws IOException {
        try (TestDriver driver = new TestDriver();
                ChildJvm crowd =
                        ChildJvm.start(CrowdProcess.class, driver.directory.toString(), Integer.toString(CONNECTIONS));
                ChildJvm pair = ChildJvm.start(PairProcess.class, driver.directory.toString())) {
            crowd.expect("READY");
            pair.expect("READY");
            Figures honest = new Figures();
            Figures hostile = new Figures();
            for (int round = -1; round < ROUNDS || (!isFair(honest, hostile) && round < MORE * ROUNDS); round++) {
                measure(crowd, pair, "honest", honest, round);
                measure(crowd, pair, "hostile", hostile, round);
            }
            String figures = "beside honest ones " + honest + "; beside hostile ones " + hostile;
            System.out.println("FairShareTest: " + figures);
            assertEquals(0, driver.counter(CounterType.DETACHED));
            assertTrue(isFair(honest, hostile), figures);
        }
    }

    private static void measure(ChildJvm crowd, ChildJvm pair, String mode, Figures figures, int round)
            throws IOException {
        crowd.send(mode);
        crowd.expect("NOW " + mode);
        pair.send(Integer.toString(ROUND_MS));
        long rate = Long.parseLong(pair.expect("STREAM"));
        String[] delays = pair.expect("DELAY").split(" ", -1);
        if (round >= 0) {
            figures.rates.add(rate);
            figures.medians.add(Long.parseLong(delays[0]));
            figures.tails.add(Long.parseLong(delays[1]));
        }
    }
}
