// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.bench.Stream.Part;
import io.pipedevice.driver.DriverContext;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class CoreReportTest {
    private final CoreResults results = new CoreResults();

    @Test
    void bothTransportsStandSideBySideWithTheirRatios() {
        results.add(Transport.PIPEDEVICE, Phase.TOUCHED, 65536, pipeDevice(60));
        results.add(Transport.TCP, Phase.TOUCHED, 65536, tcp(15));
        String report = report(Phase.TOUCHED, 65536);
        assertEquals(
                "64 KB | 60.00 15.00 4.00 | 1000 500 2.00 | 0.010 0.020 0.100 0.130 | 0.050 0.150 0.200 | 0.15",
                row(report, "64 KB |"));
        assertTrue(report.contains("payload written and read: medians of 3 runs"), report);
    }

    @Test
    void aimsSayWhetherTheyWereReached() {
        results.add(Transport.PIPEDEVICE, Phase.UNTOUCHED, 65536, pipeDevice(60));
        results.add(Transport.TCP, Phase.UNTOUCHED, 65536, tcp(30));
        String report = report(Phase.UNTOUCHED, 65536);
        assertTrue(report.contains("at least 3 times TCP's throughput: 2.00, missed"), report);
        assertTrue(report.contains("CPU per GB in the application processes: 0.15, reached"), report);
        assertFalse(report.contains("64 B:"), report);
    }

    @Test
    void transportThatWasNotMeasuredIsADash() {
        results.add(Transport.TCP, Phase.UNTOUCHED, 64, tcp(15));
        String report = report(Phase.UNTOUCHED, 64);
        assertEquals("64 B | - 15.00 - | - 500 - | - - - - | 0.050 0.150 0.200 | -", row(report, "64 B |"));
        assertFalse(report.contains("aim"), report);
    }

    @Test
    void latenciesAreInMicroseconds() {
        Histogram histogram = new Histogram(3);
        for (int i = 1; i <= 1000; i++) {
            histogram.recordValue(i * 1000L);
        }
        results.add(Transport.TCP, 1024, histogram);
        assertEquals("1 KB | TCP | 500.2 990.2 999.4 1000.4 | 1000", row(report(Phase.PING_PONG, 1024), "1 KB |"));
    }

    @Test
    void systemCallsAreListedWithTheMostFrequentFirst() {
        results.add(
                Transport.TCP,
                Phase.UNTOUCHED,
                64,
                Map.of(Part.CLIENT, Map.of("write", 1.0, "futex", 0.001, "poll", 0.002, "mmap", 0.0001)));
        assertEquals(
                "64 B | TCP | client | 1003.100: write 1000.000, poll 2.000, futex 1.000",
                row(report(Phase.UNTOUCHED, 64), "64 B | TCP"));
    }

    @Test
    void sizesAreWrittenInTheirLargestUnit() {
        assertEquals("8 B", CoreReport.size(8));
        assertEquals("1 KB", CoreReport.size(1024));
        assertEquals("1032 B", CoreReport.size(1032));
        assertEquals("1 MB", CoreReport.size(1 << 20));
    }

    private String report(Phase phase, int size) {
        CoreOptions options = new CoreOptions(
                List.of(Transport.values()),
                List.of(size),
                List.of(phase),
                3,
                1,
                1,
                0,
                DriverContext.Threading.SHARED,
                true);
        return new CoreReport(options, results).text(Map.of("machine", "this one"), true);
    }

    /** The first line that begins with {@code begin}, with single spaces. */
    private static String row(String report, String begin) {
        return report.lines()
                .map(line -> line.strip().replaceAll(" +", " "))
                .filter(line -> line.startsWith(begin))
                .findFirst()
                .orElse(report);
    }

    private static Stream pipeDevice(double gbps) {
        return new Stream(
                gbps, 1000, Map.of(Part.CLIENT, 0.01, Part.SERVER, 0.02, Part.DRIVER, 0.1), Map.of(Part.CLIENT, 0.0));
    }

    private static Stream tcp(double gbps) {
        return new Stream(gbps, 500, Map.of(Part.CLIENT, 0.05, Part.SERVER, 0.15), Map.of(Part.CLIENT, 0.0));
    }
}
