// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.bench.core.Stream.Part;
import io.pipedevice.driver.Threading;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class CoreReportTest {
    private static final Subject GPU = Subject.ofDevice("cuda:0");

    private final CoreResults results = new CoreResults();
    private List<Subject> subjects = List.of(Subject.EMULATOR, Subject.TCP);
    private int connections = 1;

    @Test
    void bothTransportsStandSideBySideWithTheirRatios() {
        results.add(Subject.EMULATOR, Phase.TOUCHED, 65536, pipeDevice(60));
        results.add(Subject.TCP, Phase.TOUCHED, 65536, tcp(15));
        String report = report(Phase.TOUCHED, 65536);
        assertEquals(
                "64 KB | emulator | 60.00 15.00 4.00 - | 1000 500 2.00 | 0.010 0.020 0.030 0.100 0.130 | 0.050 0.150 0.200"
                        + " | 0.15 0.65",
                row(report, "64 KB |"));
        assertTrue(report.contains("payload written and read, 1 connection: medians of 3 runs"), report);
    }

    @Test
    void eachDeviceHasItsRatiosToTcp() {
        results.add(Subject.EMULATOR, Phase.UNTOUCHED, 65536, pipeDevice(60));
        results.add(Subject.TCP, Phase.UNTOUCHED, 65536, tcp(30));
        String report = report(Phase.UNTOUCHED, 65536);
        assertTrue(report.contains("emulator / TCP, 64 KB, GB/s: 2.00"), report);
        assertTrue(report.contains("CPU per GB in the application processes: 0.15"), report);
        assertFalse(report.contains(" 64 B:"), report);
    }

    @Test
    void transportThatWasNotMeasuredIsADash() {
        results.add(Subject.TCP, Phase.UNTOUCHED, 64, tcp(15));
        String report = report(Phase.UNTOUCHED, 64);
        assertEquals(
                "64 B | emulator | - 15.00 - - | - 500 - | - - - - - | 0.050 0.150 0.200 | - -", row(report, "64 B |"));
        assertFalse(report.contains("/ TCP"), report);
    }

    @Test
    void eachDeviceHasARowBesideTheSameTcpAndTheEmulator() {
        subjects = List.of(GPU, Subject.EMULATOR, Subject.TCP);
        connections = 4;
        results.add(GPU, Phase.TOUCHED, 4 << 20, pipeDevice(90));
        results.add(Subject.EMULATOR, Phase.TOUCHED, 4 << 20, pipeDevice(30));
        results.add(Subject.TCP, Phase.TOUCHED, 4 << 20, tcp(15));
        String report = report(Phase.TOUCHED, 4 << 20);
        assertTrue(row(report, "4 MB | cuda:0").startsWith("4 MB | cuda:0 | 90.00 15.00 6.00 3.00 |"), report);
        assertTrue(row(report, "4 MB | emulator").startsWith("4 MB | emulator | 30.00 15.00 2.00 - |"), report);
        assertTrue(report.contains("4 connections together"), report);
    }

    @Test
    void roundTripsHaveTheirRatiosToTcpAndToTheEmulator() {
        subjects = List.of(GPU, Subject.EMULATOR, Subject.TCP);
        results.add(GPU, 64, roundTrips(20));
        results.add(Subject.EMULATOR, 64, roundTrips(10));
        results.add(Subject.TCP, 64, roundTrips(40));
        String row = row(report(Phase.PING_PONG, 64), "64 B | cuda:0");
        assertTrue(row.endsWith("| 1 | 0.50 0.50 | 2.00 2.00"), row);
    }

    private static Histogram roundTrips(int micros) {
        Histogram histogram = new Histogram(3);
        histogram.recordValue(micros * 1000L);
        return histogram;
    }

    @Test
    void deviceThatFailedIsNamedWithTheReason() {
        subjects = List.of(GPU, Subject.TCP);
        results.fail(GPU, "run 1, start: no such device");
        String report = report(Phase.UNTOUCHED, 64);
        assertTrue(report.contains("cuda:0: run 1, start: no such device"), report);
    }

    @Test
    void factsHaveTheDeviceAsItsDriverReportsItAndTheCheckedBytesOfAllRuns() {
        subjects = List.of(GPU, Subject.TCP);
        LegFacts run = new LegFacts(
                new DeviceFacts("H100 of a driver", "4 kB", 2_000_000_000, 1, 2, 3), 1_500_000_000, 500_000_000);
        results.add(GPU, run);
        results.add(GPU, run);
        results.add(Subject.TCP, new LegFacts(null, 1_000_000_000, 0));
        Map<String, String> facts = new CoreFacts(options(Phase.TOUCHED, 64), results).lines("0", false);
        assertEquals(
                "the driver reports 'H100 of a driver': copied 4.00 GB; an emulator executed 2 commands in its place;"
                        + " 4 errors, 6 resets; pages of 4 kB",
                facts.get("device cuda:0"));
        assertTrue(facts.get("checked, cuda:0").startsWith("3.00 GB arrived"), facts::toString);
        assertTrue(facts.get("checked, cuda:0").contains(" 1.00 GB of them"), facts::toString);
        assertTrue(facts.get("checked, TCP").startsWith("1.00 GB"), facts::toString);
    }

    @Test
    void latenciesAreInMicroseconds() {
        Histogram histogram = new Histogram(3);
        for (int i = 1; i <= 1000; i++) {
            histogram.recordValue(i * 1000L);
        }
        results.add(Subject.TCP, 1024, histogram);
        assertEquals(
                "1 KB | TCP | 500.2 990.2 999.4 1000.4 | 1000 | - - | - -",
                row(report(Phase.PING_PONG, 1024), "1 KB |"));
    }

    @Test
    void systemCallsAreListedWithTheMostFrequentFirst() {
        results.add(
                Subject.TCP,
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
        return new CoreReport(options(phase, size), results).text(Map.of("machine", "this one"), true);
    }

    private CoreOptions options(Phase phase, int size) {
        return new CoreOptions(
                subjects, List.of(size), List.of(phase), connections, 3, 1, 1, 0, Threading.SHARED, true);
    }

    /** The first line that begins with {@code begin}, with single spaces. */
    private static String row(String report, String begin) {
        return report.lines()
                .map(line -> line.strip().replaceAll(" +", " "))
                .filter(line -> line.startsWith(begin))
                .findFirst()
                .orElse(report);
    }

    private static Stream pipeDevice(double gbPerSecond) {
        return new Stream(
                gbPerSecond,
                1000,
                Map.of(Part.CLIENT, 0.01, Part.SERVER, 0.02, Part.DRIVER, 0.1),
                Map.of(Part.CLIENT, 0.0));
    }

    private static Stream tcp(double gbPerSecond) {
        return new Stream(gbPerSecond, 500, Map.of(Part.CLIENT, 0.05, Part.SERVER, 0.15), Map.of(Part.CLIENT, 0.0));
    }
}
