// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.bench.net.Figures;
import io.pipedevice.bench.net.Metric;
import io.pipedevice.bench.net.Row;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PaperReportTest {
    private static final Map<String, String> FACTS = Map.of("machine", "a <small> one");

    private final Figures figures = new Figures();

    private void add(Row row, PaperTransport transport, Metric metric, double... runs) {
        for (double value : runs) {
            figures.add(row, transport, Map.of(metric, value));
        }
    }

    private String text() {
        return new PaperReport(figures).text(FACTS);
    }

    /** The first line that begins with {@code begin} after a title, with single spaces. */
    private static String line(String report, String title, String begin) {
        int from = Math.max(0, report.indexOf(title));
        return report.substring(from)
                .lines()
                .map(line -> line.strip().replaceAll(" +", " "))
                .filter(line -> line.startsWith(begin))
                .findFirst()
                .orElse(report);
    }

    @Test
    void paperStandsBesideTheMediansAndTheirRatios() {
        add(Row.ALLREDUCE_2, PaperTransport.TCP, Metric.GIGABYTES, 0.2, 0.4, 0.1);
        add(Row.ALLREDUCE_2, PaperTransport.DIRECT, Metric.GIGABYTES, 0.5, 0.6, 0.4);
        add(Row.ALLREDUCE_2, PaperTransport.DEVICE, Metric.GIGABYTES, 0.3, 0.4, 0.5);
        String text = text();
        assertTrue(line(text, "PipeDevice, Figure 14", "section 5.5").contains("2.2 x the same over TCP"), text);
        assertEquals("2 processes, GB/s 0.200 0.500 0.400", line(text, "Here: medians", "2 processes"));
        assertEquals("ratio - 2.50 x 2 x", line(text, "Here: medians", "ratio"));
        assertEquals(
                "PipeDevice, Figure 14: allreduce of 2 beside TCP 2.2 x 2.50 x direct reached 2.20",
                line(text, "Summary", "PipeDevice, Figure 14"));
        assertTrue(line(text, "smallest to largest", "2 processes").contains("0.400 to 0.600"), text);
    }

    @Test
    void allreduceByLibStandsBesideTheOneOfNioOnTcp() {
        add(Row.ALLREDUCE_2, PaperTransport.TCP, Metric.GIGABYTES, 2);
        add(Row.ALLREDUCE_2, PaperTransport.PEERS, Metric.GIGABYTES, 4);
        add(Row.ALLREDUCE_2_LIB, PaperTransport.PEERS, Metric.GIGABYTES, 10);
        String text = text();
        assertEquals("2 processes by PD Lib - 10", line(text, "Here: medians", "2 processes by PD Lib"));
        String of = "PipeDevice, Figure 14: allreduce of 2 by PD Lib";
        assertEquals(of + " beside java.nio on TCP 2.2 x 5 x peers reached 2.20", line(text, "Summary", of));
    }

    @Test
    void summaryNamesThePartOfAGainThatIsReached() {
        add(Row.RATE, PaperTransport.TCP, Metric.CORES, 0.5);
        add(Row.RATE, PaperTransport.PEERS, Metric.CORES, 0.5);
        add(Row.RATE, PaperTransport.DEVICE, Metric.CORES, 0.25);
        assertTrue(
                line(text(), "Summary", "PipeDevice, Figure 9")
                        .endsWith("2.72 x (63.2 % saved) 2 x device 0.735 of it"),
                this::text);
        add(Row.STREAM_64K, PaperTransport.TCP, Metric.GIGABYTES, 4);
        add(Row.STREAM_64K, PaperTransport.DIRECT, Metric.GIGABYTES, 12);
        assertTrue(
                line(text(), "Summary", "PipeDevice, Figures 10 and 11").endsWith("plot only 3 x direct ahead of TCP"),
                this::text);
    }

    @Test
    void connectionsAreInPartsOf128() {
        add(Row.SCALE_128, PaperTransport.DIRECT, Metric.GIGABYTES, 2);
        add(Row.SCALE_4096, PaperTransport.DIRECT, Metric.GIGABYTES, 1.8);
        String text = text();
        assertEquals("in parts of scale-128 0.900 x", line(text, "4096 connections  ", "in parts of"));
        assertTrue(line(text, "Summary", "PipeDevice, Figure 12").endsWith("0.900 x direct 0.900 of it"), text);
    }

    @Test
    void limitsAreTheBetterTheNearer() {
        add(Row.RATE_LIMIT_10, PaperTransport.DIRECT, Metric.OF_LIMIT, 1.05);
        add(Row.RATE_LIMIT_10, PaperTransport.DEVICE, Metric.OF_LIMIT, 0.99);
        assertTrue(
                line(text(), "Summary", "FreeFlow, Figure 13").contains("kept 0.990 of the limit device"), this::text);
        add(Row.PAIRS_16, PaperTransport.DIRECT, Metric.DEVIATION, 1e9 / 8);
        assertTrue(
                line(text(), "Summary", "PipeDevice, Figure 13").endsWith("1 Gbit/s direct 2 times the paper's"),
                this::text);
    }

    @Test
    void whatIsMissingIsSaidWithTheReason() {
        figures.unavailable(PaperTransport.SOCKMAP, "not available: apt install clang");
        figures.fail(Row.SCALE_4096, PaperTransport.DEVICE, "no memory");
        String text = text();
        assertTrue(text.contains("sockmap (eBPF): not available: apt install clang"), text);
        assertTrue(text.contains("emulator, scale-4096: FAILED: no memory"), text);
        assertTrue(text.contains("Figure 3 (RDMA by the number of connections): needs network cards"), text);
    }

    @Test
    void pageHasPlotsAndNeedsNoOtherFile() {
        add(Row.STREAM_64, PaperTransport.TCP, Metric.GIGABYTES, 0.1);
        add(Row.RATE, PaperTransport.TCP, Metric.CORES, 0.7);
        String html = new PaperReport(figures).html(FACTS);
        assertEquals(2, html.split("<svg", -1).length - 1, html);
        assertTrue(html.contains("a &lt;small&gt; one"), html);
        assertFalse(html.contains("http") || html.contains("src=") || html.contains("NaN"), html);
    }
}
