// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.paper;

import static io.pipedevice.bench.net.ReportLines.line;
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

    private void addRate(PaperTransport transport, double gigabytes, double cores) {
        figures.add(Row.RATE, transport, Map.of(Metric.GIGABYTES, gigabytes, Metric.CORES, cores));
    }

    private String text() {
        return new PaperReport(figures).text(FACTS);
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
                "PipeDevice, Figure 14: allreduce of 2 beside TCP 2.2 x 2.50 x direct tcp reached 2.20",
                line(text, "Summary", "PipeDevice, Figure 14"));
        assertTrue(line(text, "smallest to largest", "2 processes").contains("0.400 to 0.600"), text);
    }

    @Test
    void allreduceByLibStandsBesideTheOneOfNioOnTcp() {
        add(Row.ALLREDUCE_2, PaperTransport.TCP_LOOPBACK, Metric.GIGABYTES, 2);
        add(Row.ALLREDUCE_2, PaperTransport.PEERS, Metric.GIGABYTES, 4);
        add(Row.ALLREDUCE_2_LIB, PaperTransport.PEERS, Metric.GIGABYTES, 10);
        String text = text();
        assertEquals("2 processes by PD Lib - 10", line(text, "Here: medians", "2 processes by PD Lib"));
        String of = "PipeDevice, Figure 14: allreduce of 2 by PD Lib";
        assertEquals(
                of + " beside java.nio on TCP 2.2 x 5 x peers " + PaperTransport.TCP_LOOPBACK.label() + " reached 2.20",
                line(text, "Summary", of));
    }

    @Test
    void chainByLibStandsBesideTheOneOfNioOnTcp() {
        add(Row.SERVICE_CHAIN, PaperTransport.TCP, Metric.CPU_COMPLETION, 0.4);
        add(Row.SERVICE_CHAIN_LIB, PaperTransport.DEVICE, Metric.CPU_COMPLETION, 0.02);
        String of = "PipeDevice, Figures 15 and 16: service chain by PD Lib";
        assertTrue(line(text(), "Summary", of).endsWith(" 20 x device tcp reached 1.95"), this::text);
    }

    @Test
    void summaryNamesThePartOfAGainThatIsReached() {
        addRate(PaperTransport.TCP, 1, 0.5);
        addRate(PaperTransport.DIRECT, 1, 0.5);
        addRate(PaperTransport.DEVICE, 1, 0.25);
        assertTrue(
                line(text(), "Summary", "PipeDevice, Figure 9")
                        .endsWith("2.72 x (63.2 % saved) 2 x device tcp 0.735 of it"),
                this::text);
        add(Row.STREAM_64K, PaperTransport.TCP, Metric.GIGABYTES, 4);
        add(Row.STREAM_64K, PaperTransport.DIRECT, Metric.GIGABYTES, 12);
        assertTrue(
                line(text(), "Summary", "PipeDevice, Figures 10 and 11")
                        .endsWith("plot only 3 x direct tcp ahead of TCP"),
                this::text);
    }

    @Test
    void connectionsAreInPartsOf128() {
        add(Row.SCALE_128, PaperTransport.DIRECT, Metric.GIGABYTES, 2);
        add(Row.SCALE_4096, PaperTransport.DIRECT, Metric.GIGABYTES, 1.8);
        String text = text();
        assertEquals("in parts of scale-128 0.900 x", line(text, "4096 connections  ", "in parts of"));
        assertTrue(
                line(text, "Summary", "PipeDevice, Figure 12").endsWith("0.900 x direct scale-128 0.900 of it"), text);
    }

    @Test
    void limitsAreTheBetterTheNearer() {
        add(Row.STREAM_64K, PaperTransport.DIRECT, Metric.GIGABYTES, 4);
        add(Row.STREAM_64K, PaperTransport.DEVICE, Metric.GIGABYTES, 4);
        add(Row.RATE_LIMIT_10, PaperTransport.DIRECT, Metric.OF_LIMIT, 1.05);
        add(Row.RATE_LIMIT_10, PaperTransport.DEVICE, Metric.OF_LIMIT, 0.99);
        assertTrue(
                line(text(), "Summary", "FreeFlow, Figure 13").contains("kept 0.990 of the limit device - 1.00 % off"),
                this::text);
        add(Row.PAIRS_16, PaperTransport.DIRECT, Metric.DEVIATION, 1e9 / 8);
        assertTrue(
                line(text(), "Summary", "PipeDevice, Figure 13").endsWith("1 Gbit/s direct - 2 times the paper's"),
                this::text);
    }

    @Test
    void fewerCoresAtLessThanTheRateAreNotCompared() {
        addRate(PaperTransport.TCP, 1, 1);
        addRate(PaperTransport.DIRECT, 0.98, 0.5);
        addRate(PaperTransport.DEVICE, 0.61, 0.1);
        assertTrue(
                line(text(), "Summary", "PipeDevice, Figure 9")
                        .endsWith(" 2 x direct tcp 0.735 of it; device left out: rate at 0.610 GB/s, needs 0.980 GB/s"),
                this::text);
    }

    @Test
    void nothingIsComparedWithATcpBelowTheRate() {
        addRate(PaperTransport.TCP, 0.5, 1);
        addRate(PaperTransport.DIRECT, 1, 0.5);
        assertTrue(
                line(text(), "Summary", "PipeDevice, Figure 9")
                        .endsWith(" - - - tcp left out: rate at 0.500 GB/s, needs 0.980 GB/s"),
                this::text);
    }

    @Test
    void peersAreBesideLoopback() {
        add(Row.STREAM_64K, PaperTransport.TCP, Metric.GIGABYTES, 1);
        add(Row.STREAM_64K, PaperTransport.DIRECT, Metric.GIGABYTES, 3);
        add(Row.STREAM_64K, PaperTransport.PEERS, Metric.GIGABYTES, 5);
        String begin = "PipeDevice, Figures 10 and 11";
        assertTrue(line(text(), "Summary", begin).endsWith("3 x direct tcp ahead of TCP"), this::text);
        add(Row.STREAM_64K, PaperTransport.TCP_LOOPBACK, Metric.GIGABYTES, 2);
        assertTrue(line(text(), "Summary", begin).endsWith("3 x direct tcp ahead of TCP"), this::text);
        add(Row.STREAM_64K, PaperTransport.PEERS, Metric.GIGABYTES, 10, 10);
        assertTrue(line(text(), "Summary", begin).endsWith("5 x peers tcp_loopback ahead of TCP"), this::text);
    }

    @Test
    void latencyOfFreeFlowIsBesideTheHostsOwnTcp() {
        add(Row.PING_PONG_64, PaperTransport.TCP, Metric.P50, 100);
        add(Row.PING_PONG_64, PaperTransport.TCP_LOOPBACK, Metric.P50, 50);
        add(Row.PING_PONG_64, PaperTransport.DIRECT, Metric.P50, 5);
        assertTrue(
                line(text(), "Summary", "FreeFlow, Figure 14").endsWith("10 x direct tcp_loopback 0.200 of it"),
                this::text);
    }

    @Test
    void sortBySparkIsTheBetterTheShorter() {
        add(Row.SPARK_SHUFFLE, PaperTransport.TCP, Metric.COMPLETION, 3);
        add(Row.SPARK_SHUFFLE, PaperTransport.DIRECT, Metric.COMPLETION, 2);
        assertTrue(
                line(text(), "Summary", "FreeFlow, Figure 16")
                        .endsWith("up to 1.8 x (Weave) 1.50 x direct tcp 0.833 of it"),
                this::text);
        assertEquals("records of 100 B: the job, ms 3000.0 2000.0", line(text(), "Here: medians", "records of 100 B"));
    }

    @Test
    void whatIsBehindTcpIsNotReached() {
        add(Row.PING_PONG_64, PaperTransport.TCP, Metric.P99, 8);
        add(Row.PING_PONG_64, PaperTransport.DEVICE, Metric.P99, 10);
        assertTrue(
                line(text(), "Summary", "PipeDevice, Table 5").endsWith("0.71 x (FPGA) 0.800 x device tcp behind TCP"),
                this::text);
    }

    @Test
    void limitIsKeptOnlyByWhatIsFasterWithoutIt() {
        add(Row.RATE_LIMIT_40, PaperTransport.DIRECT, Metric.OF_LIMIT, 0.75);
        add(Row.RATE_LIMIT_40, PaperTransport.DEVICE, Metric.OF_LIMIT, 0.99);
        add(Row.STREAM_64K, PaperTransport.DIRECT, Metric.GIGABYTES, 6);
        add(Row.STREAM_64K, PaperTransport.DEVICE, Metric.GIGABYTES, 4.9);
        assertTrue(
                line(text(), "Summary", "FreeFlow, Figure 13")
                        .endsWith("direct - 25 % off; device left out: stream-64k at 4.90 GB/s, needs 5 GB/s"),
                this::text);
        figures.fail(Row.STREAM_64K, PaperTransport.DIRECT, "no memory");
        assertTrue(
                line(text(), "Summary", "FreeFlow, Figure 13")
                        .contains("- - - direct left out: stream-64k not measured"),
                this::text);
    }

    @Test
    void memoryOfIdleConnectionsIsNotComparedWithThatOfActiveOnes() {
        add(Row.MEMORY, PaperTransport.DIRECT, Metric.MEMORY, 1 << 16);
        assertTrue(
                line(text(), "Summary", "PipeDevice, section 5.1").endsWith("64 x direct - not comparable"),
                this::text);
    }

    @Test
    void missingRowsAreReportedWithTheReason() {
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

    @Test
    void thePictureHasThePapersGainsBesideThoseHere() {
        assertEquals("", new PaperReport(figures).picture(), "nothing was measured");
        add(Row.ALLREDUCE_2, PaperTransport.TCP, Metric.GIGABYTES, 2);
        add(Row.ALLREDUCE_2, PaperTransport.DIRECT, Metric.GIGABYTES, 5);
        String picture = new PaperReport(figures).picture();
        assertTrue(picture.contains(">2.20</text>"), picture);
        assertTrue(picture.contains(">2.50 direct</text>"), picture);
        assertTrue(picture.startsWith("<svg xmlns="), picture);
        assertTrue(new PaperReport(figures).html(FACTS).contains(picture));
    }
}
