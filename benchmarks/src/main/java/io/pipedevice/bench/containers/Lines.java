// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.containers;

import io.pipedevice.bench.net.Line;
import io.pipedevice.bench.net.Metric;
import io.pipedevice.bench.net.Numbers;
import io.pipedevice.bench.net.Row;
import java.util.ArrayList;
import java.util.List;

/** The lines of the report. */
final class Lines {
    private Lines() {}

    /** Streams and round trips. */
    static List<Line> traffic() {
        List<Line> lines = new ArrayList<>();
        for (Row row : streams()) {
            lines.add(new Line(Numbers.size(row.size()) + " one way, GB/s", row, Metric.GIGABYTES));
        }
        for (Row row : roundTrips(false)) {
            addLatencies(lines, Numbers.size(row.size()) + " there and back, blocking", row);
        }
        for (Row row : roundTrips(true)) {
            addLatencies(lines, Numbers.size(row.size()) + " there and back, selectors", row);
        }
        for (Row row : List.of(Row.PAIRS_16, Row.PAIRS_128, Row.PAIRS_512)) {
            lines.add(new Line(row.pairs() + " streams of 64 KB at a time, GB/s in all", row, Metric.GIGABYTES));
            lines.add(new Line("   Jain's index of their bytes", row, Metric.JAIN));
        }
        return lines;
    }

    private static void addLatencies(List<Line> lines, String what, Row row) {
        lines.add(new Line(what + ", p50 us", row, Metric.P50));
        lines.add(new Line("   p99", row, Metric.P99));
        lines.add(new Line("   p99.9", row, Metric.P999));
    }

    /** Programs of the samples. */
    static List<Line> applications() {
        return List.of(
                new Line("allreduce of 200 MB, 2 processes, GB/s", Row.ALLREDUCE_2, Metric.GIGABYTES),
                new Line("   4 processes", Row.ALLREDUCE_4, Metric.GIGABYTES),
                new Line("service chain, 10,000 requests of 1.5 KB, ms", Row.SERVICE_CHAIN, Metric.COMPLETION),
                new Line("   cores", Row.SERVICE_CHAIN, Metric.CORES));
    }

    /** Connections, and JVMs that have just started. */
    static List<Line> connections() {
        return List.of(
                new Line("connect, a byte each way, close, per second", Row.CONNECT, Metric.CONNECTIONS),
                new Line("   the whole, p50 us", Row.CONNECT, Metric.P50),
                new Line("   p99", Row.CONNECT, Metric.P99),
                new Line("   p99.9", Row.CONNECT, Metric.P999),
                new Line("   connect alone, p50 us", Row.CONNECT, Metric.CONNECT_P50),
                new Line("   p99", Row.CONNECT, Metric.CONNECT_P99),
                new Line("the same by 8 threads, per second", Row.CONNECT_THREADS, Metric.CONNECTIONS),
                new Line("   the whole, p50 us", Row.CONNECT_THREADS, Metric.P50),
                new Line("   p99", Row.CONNECT_THREADS, Metric.P99),
                new Line("   connect alone, p50 us", Row.CONNECT_THREADS, Metric.CONNECT_P50),
                new Line("first connection of a JVM, ms", Row.START_UP, Metric.FIRST_CONNECT),
                new Line("   CPU ms of a JVM that connects and ends", Row.START_UP, Metric.CPU_CONNECT),
                new Line("connections in a JVM's first second", Row.FIRST_SECONDS, Metric.FIRST_SECOND),
                new Line("   second", Row.FIRST_SECONDS, Metric.SECOND_SECOND),
                new Line("   third", Row.FIRST_SECONDS, Metric.THIRD_SECOND));
    }

    /** Processor time of streams, part by part. */
    static List<Line> processorTime() {
        List<Line> lines = new ArrayList<>();
        for (Row row : streams()) {
            lines.add(new Line(Numbers.size(row.size()) + " one way: the two programs", row, Metric.CPU_PROGRAMS));
            lines.add(new Line("   the driver", row, Metric.CPU_DRIVER));
            lines.add(new Line("   threads of the kernel for soft interrupts", row, Metric.CPU_KERNEL));
        }
        return lines;
    }

    /** Connects to what is not accelerated. */
    static List<Line> notAccelerated() {
        return List.of(
                new Line("to a server without PipeDevice", Row.CONNECT_PLAIN_SERVER, Metric.CONNECT_P50),
                new Line(
                        "   each to an address that was not asked about",
                        Row.CONNECT_PLAIN_SERVERS,
                        Metric.CONNECT_P50),
                new Line("while the driver is away", Row.CONNECT_DRIVER_AWAY, Metric.CONNECT_P50));
    }

    static List<Row> streams() {
        return List.of(Row.STREAM_64, Row.STREAM_1K, Row.STREAM_16K, Row.STREAM_64K, Row.STREAM_1M);
    }

    static List<Row> roundTrips(boolean selectors) {
        return selectors
                ? List.of(
                        Row.PING_PONG_SELECTOR,
                        Row.PING_PONG_SELECTOR_1K,
                        Row.PING_PONG_SELECTOR_8K,
                        Row.PING_PONG_SELECTOR_64K)
                : List.of(Row.PING_PONG_64, Row.PING_PONG_1K, Row.PING_PONG_8K, Row.PING_PONG_64K);
    }
}
