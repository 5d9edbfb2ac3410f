// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.containers;

import static io.pipedevice.bench.net.ReportLines.line;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.bench.net.Figures;
import io.pipedevice.bench.net.Metric;
import io.pipedevice.bench.net.Row;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContainerReportTest {
    private static final Map<String, String> FACTS = Map.of("machine", "a <small> one");

    private final Figures figures = new Figures();

    private void add(Row row, ContainerTransport transport, Metric metric, double... runs) {
        for (double value : runs) {
            figures.add(row, transport, Map.of(metric, value));
        }
    }

    private String text() {
        return new ContainerReport(figures).text(FACTS);
    }

    @Test
    void eachTransportStandsBesideTcpOverTheBridge() {
        add(Row.STREAM_64K, ContainerTransport.TCP, Metric.GIGABYTES, 2, 4, 1);
        add(Row.STREAM_64K, ContainerTransport.DIRECT, Metric.GIGABYTES, 10, 11, 9);
        assertEquals("64 KB one way, GB/s 2 - - - - 10 5 x - -", line(text(), "ratios to TCP", "64 KB one way"));
        assertEquals("64 KB one way, GB/s 1 to 4 - - 9 to 11 -", line(text(), "smallest to largest", "64 KB one way"));
    }

    @Test
    void aimsAreMarkedAsReachedOrMissed() {
        add(Row.CONNECT, ContainerTransport.TCP, Metric.CONNECTIONS, 10_000);
        add(Row.CONNECT, ContainerTransport.DIRECT, Metric.CONNECTIONS, 7_000);
        assertEquals(
                "connections/s: direct 0.700 x at least 0.800 x MISSED",
                line(text(), "wants to reach", "connections/s"));
        add(Row.PING_PONG_8K, ContainerTransport.TCP, Metric.P50, 50_000);
        add(Row.PING_PONG_8K, ContainerTransport.DEVICE, Metric.P50, 49_000);
        assertTrue(
                line(text(), "wants to reach", "8 KB there and back, blocking, p50 us: device")
                        .endsWith("0.980 x at most 1 x reached"),
                this::text);
    }

    @Test
    void connectsThatAreNotAcceleratedTakeMoreMicroseconds() {
        add(Row.CONNECT_PLAIN_SERVERS, ContainerTransport.TCP, Metric.CONNECT_P50, 40_000);
        add(Row.CONNECT_PLAIN_SERVERS, ContainerTransport.DIRECT, Metric.CONNECT_P50, 90_500);
        assertEquals(
                "each to an address that was not asked about 40 90.5 50.5 - -",
                line(text(), "not accelerated", "each to an address"));
        assertTrue(line(text(), "wants to reach", "connect each to").endsWith("50.5 at most 40 MISSED"), this::text);
    }

    @Test
    void transportsThatDoNotRunHereAreNamedWithTheReason() {
        figures.unavailable(ContainerTransport.SOCKMAP, "not available: apt install clang");
        assertTrue(
                text().contains("sockmap (eBPF) between the namespaces: not available: apt install clang"), this::text);
    }

    @Test
    void pageHasPlotsAndNeedsNoOtherFile() {
        add(Row.STREAM_64, ContainerTransport.TCP, Metric.GIGABYTES, 0.1);
        add(Row.CONNECT, ContainerTransport.TCP, Metric.CONNECTIONS, 15_000);
        String html = new ContainerReport(figures).html(FACTS);
        assertEquals(2, html.split("<svg", -1).length - 1, html);
        assertTrue(html.contains("a &lt;small&gt; one"), html);
        assertFalse(html.contains("http") || html.contains("src=") || html.contains("NaN"), html);
    }
}
