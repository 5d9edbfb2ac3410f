// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NetReportTest {
    private static final Map<String, String> FACTS = Map.of("machine", "a <small> one");

    private final Figures figures = new Figures();
    private final NetOptions options = new NetOptions(
            List.of(LocalTransport.values()),
            List.copyOf(NetCommand.ROWS),
            3,
            1,
            1,
            100,
            10_000,
            100,
            1000,
            1,
            false,
            false,
            List.of());

    private void stream(NetTransport transport, Row row, double messages, double cpu) {
        figures.add(
                row,
                transport,
                Map.of(
                        Metric.MESSAGES, messages,
                        Metric.GIGABYTES, messages * row.size() / 1e9,
                        Metric.CPU, cpu));
    }

    private String text() {
        return new NetReport(options, figures).text(FACTS);
    }

    private String html() {
        return new HtmlReport(options, figures).html(FACTS);
    }

    /** The first line that begins with {@code begin}, with single spaces. */
    private static String line(String report, String begin) {
        return ReportLines.line(report, "", begin);
    }

    @Test
    void figuresAreFollowedByTheirRatio() {
        stream(LocalTransport.TCP, Row.STREAM_64, 200_000, 100);
        stream(LocalTransport.PIPEDEVICE, Row.STREAM_64, 16_000_000, 1);
        assertEquals("64 B one way, TCP_NODELAY, messages/s 16,000,000 200,000 80 x", line(text(), "64 B one way"));
    }

    @Test
    void eachRunHasItsRatio() {
        for (int run = 1; run <= options.runs(); run++) {
            stream(LocalTransport.TCP, Row.STREAM_64, 200_000, 100);
            stream(LocalTransport.PIPEDEVICE, Row.STREAM_64, run % 3 * 10_000_000, 1);
        }
        String table = text().substring(text().indexOf("PipeDevice / TCP in each run"));
        assertEquals("64 B one way, TCP_NODELAY, messages/s 0 x 50 x 50 x 100 x 0 x", line(table, "64 B one way"));
    }

    @Test
    void firstSecondsOfAJvmAreReported() {
        figures.add(
                Row.FIRST_SECONDS,
                LocalTransport.TCP,
                Map.of(
                        Metric.FIRST_SECOND, 1000.0,
                        Metric.SECOND_SECOND, 2000.0,
                        Metric.THIRD_SECOND, 3000.0,
                        Metric.FIRST_SECONDS, 6000.0));
        figures.add(Row.START_UP, LocalTransport.TCP, Map.of(Metric.CPU_SELECTOR, 0.105, Metric.CPU_CONNECT, 0.12));
        String table = text().substring(text().indexOf("A JVM that has just started"));
        assertEquals("java.nio, kernel TCP 1,000 2,000 3,000 6,000 105 120", line(table, "java.nio, kernel TCP"));
    }

    @Test
    void heapAndSystemCallsOfAMessageAreReported() {
        figures.add(
                Row.STREAM_64, LocalTransport.PIPEDEVICE, Map.of(Metric.ALLOCATED, 0.001, Metric.SYSTEM_CALLS, 0.25));
        assertTrue(
                text().lines()
                        .map(line -> line.strip().replaceAll(" +", " "))
                        .anyMatch(line -> line.equals(Row.STREAM_64.title() + " 0.00 - 0.25 -")),
                this::text);
    }

    @Test
    void whatTheMachineGaveStandsThereToo() {
        figures.addCacheLine(Row.STREAM_16K, LocalTransport.PIPEDEVICE, 71.4);
        figures.addCacheLine(Row.STREAM_16K, LocalTransport.PIPEDEVICE, 418);
        figures.addCacheLine(Row.STREAM_16K, LocalTransport.PIPEDEVICE, 30);
        figures.addCacheLine(Row.STREAM_16K, LocalTransport.TCP, Double.NaN);
        assertEquals(Row.STREAM_16K.title() + " 71 30 to 418 -", line(text(), Row.STREAM_16K.title()));
    }

    @Test
    void everyTransportHasALineAndWhatWasNotMeasuredHasADash() {
        stream(LocalTransport.TCP, Row.STREAM_64K, 100_000, 0.3);
        stream(LocalTransport.AERON, Row.STREAM_64K, 200_000, 0.2);
        assertEquals("Aeron IPC - - - - 13.1 - - - -", line(text(), "Aeron IPC"));
        assertFalse(text().contains("Netty"), this::text);
        assertFalse(text().contains("There and back"), this::text);
    }

    @Test
    void gapsAndTheirReasonsAreListed() {
        figures.fail(Row.BUSY, LocalTransport.PIPEDEVICE, "not accelerated");
        assertTrue(text().contains("java.nio, PipeDevice, busy: FAILED: not accelerated"), this::text);
        assertTrue(html().contains("busy: FAILED: not accelerated"), this::html);
    }

    @Test
    void runsThatDifferMuchAreNamed() {
        stream(LocalTransport.TCP, Row.STREAM_64K, 100_000, 0.3);
        stream(LocalTransport.TCP, Row.STREAM_64K, 200_000, 0.3);
        assertEquals("stream-64k, GIGABYTES 0 % 67 %", line(text(), "stream-64k, GIGABYTES"));
    }

    @Test
    void pageHasPlotsAndNeedsNoOtherFile() {
        stream(LocalTransport.TCP, Row.STREAM_64, 200_000, 100);
        stream(LocalTransport.TCP, Row.STREAM_1M, 5_000, 0.2);
        figures.add(Row.CONNECT, LocalTransport.TCP, Map.of(Metric.CONNECTIONS, 15_000.0));
        String html = html();
        assertEquals(3, html.split("<svg", -1).length - 1, html);
        assertTrue(html.contains("a &lt;small&gt; one"), html);
        assertFalse(html.contains("http") || html.contains("src=") || html.contains("NaN"), html);
    }

    @Test
    void curveGoesThroughItsPointsAndLeavesGapsOut() {
        LinePlot plot = new LinePlot(
                "title",
                "GB/s",
                List.of(64, 1 << 10, 1 << 20),
                List.of(new LinePlot.Curve("one", "#000000", List.of(1.0, Double.NaN, 10.0))));
        String svg = plot.svg();
        assertTrue(svg.contains("points=\"76.0,334.0 646.0,34.0\""), svg);
        assertEquals(2, svg.split("<circle", -1).length - 1, svg);
        LinePlot empty = new LinePlot(
                "title", "GB/s", List.of(64), List.of(new LinePlot.Curve("one", "#000000", List.of(Double.NaN))));
        assertEquals("", empty.svg());
    }

    @Test
    void numbersHaveThreeDigitsThatMatter() {
        assertEquals("0.123", Numbers.significant(0.1234));
        assertEquals("1.23", Numbers.significant(1.234));
        assertEquals("123", Numbers.significant(123.4));
        assertEquals("12345", Numbers.significant(12_345.4));
        assertEquals("5", Numbers.significant(5));
    }
}
