// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DemoReportTest {
    private static DemoRun run(long nanos, long roundTripNanos) {
        DemoRun.Stream stream = new DemoRun.Stream(64, 64_000_000, nanos);
        return new DemoRun(stream, stream, roundTripNanos, DemoRun.CONNECTIONS);
    }

    @Test
    void namesTheSideThatIsBetter() {
        String text = DemoReport.text(run(4_000_000_000L, 50_000), run(1_000_000_000, 100_000));
        assertEquals(
                2,
                text.lines()
                        .filter(line -> line.endsWith("PipeDevice, 4.0 times"))
                        .count(),
                text);
        assertEquals(
                1,
                text.lines()
                        .filter(line -> line.endsWith("kernel TCP, 2.0 times"))
                        .count(),
                text);
        assertTrue(text.lines().allMatch(line -> line.equals(line.stripTrailing())), text);
    }
}
