// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A line of the report's first table: a figure on PipeDevice beside the same on TCP, and their ratio.
 *
 * @param what its description
 * @param row in which it is measured
 * @param metric the figure of the row
 * @param own the transport on PipeDevice
 * @param form how the ratio is computed and written
 */
record RatioLine(String what, Row row, Metric metric, LocalTransport own, Form form) {
    /** How a ratio is computed and written. */
    enum Form {
        /** The ratio to TCP of a figure that should be large. */
        MORE_THAN_TCP,

        /** The same in the worst run. */
        ALWAYS_MORE_THAN_TCP,

        /** The ratio to TCP of a figure that should be small. */
        LESS_THAN_TCP,

        /** The ratio to TCP in parts of the one that channels reach. */
        AS_CHANNELS,

        /** The ratio to PipeDevice's own figure with few connections. */
        AS_WITH_FEW
    }

    /** All lines, in the order of the report. */
    static List<RatioLine> all() {
        return List.of(
                more("64 B one way, TCP_NODELAY, messages/s", Row.STREAM_64, Metric.MESSAGES),
                ofChannels("   the worst of the runs", Row.STREAM_64, Metric.MESSAGES, Form.ALWAYS_MORE_THAN_TCP),
                more("64 B one way, without TCP_NODELAY, messages/s", Row.STREAM_64_GATHERED, Metric.MESSAGES),
                more("1 KB one way, GB/s", Row.STREAM_1K, Metric.GIGABYTES),
                more("16 KB one way, GB/s", Row.STREAM_16K, Metric.GIGABYTES),
                more("64 KB one way, GB/s", Row.STREAM_64K, Metric.GIGABYTES),
                more("1 MB one way, GB/s", Row.STREAM_1M, Metric.GIGABYTES),
                less("64 KB one way, CPU s/GB of all processes", Row.STREAM_64K, Metric.CPU),
                less("64 B there and back, blocking, p50 us", Row.PING_PONG_64, Metric.P50),
                less("   p99.9", Row.PING_PONG_64, Metric.P999),
                less("64 B there and back, selectors, p50 us", Row.PING_PONG_SELECTOR, Metric.P50),
                less("   p99.9", Row.PING_PONG_SELECTOR, Metric.P999),
                less("64 B there and back, no spinning, p50 us", Row.PING_PONG_NO_SPIN, Metric.P50),
                less("   p99.9", Row.PING_PONG_NO_SPIN, Metric.P999),
                more("connect, a byte each way, close, per second", Row.CONNECT, Metric.CONNECTIONS),
                ofChannels(
                        "busy connections among many: echoes/s against few",
                        Row.BUSY,
                        Metric.ECHOES_MANY,
                        Form.AS_WITH_FEW),
                more("next message on the next connection, few: echoes/s", Row.ROTATING_FEW, Metric.ECHOES),
                ofChannels("   many: echoes/s against few", Row.ROTATING_MANY, Metric.ECHOES, Form.AS_WITH_FEW),
                more("processes of one connection each: echoes/s", Row.PROCESSES, Metric.ECHOES),
                more("connections made in a JVM's first 3 s", Row.FIRST_SECONDS, Metric.FIRST_SECONDS),
                less("JVM that opens one selector, CPU ms", Row.START_UP, Metric.CPU_SELECTOR),
                less("   that connects once", Row.START_UP, Metric.CPU_CONNECT),
                less("memory of an idle connection, both ends", Row.MEMORY, Metric.MEMORY),
                less("CPU while all connections are idle", Row.IDLE, Metric.IDLE_CPU),
                asChannels("java.net: 64 B one way, TCP_NODELAY, messages/s", Row.STREAM_64, Metric.MESSAGES),
                asChannels("   1 KB one way, GB/s", Row.STREAM_1K, Metric.GIGABYTES),
                asChannels("   64 KB one way, GB/s", Row.STREAM_64K, Metric.GIGABYTES),
                asChannels("   1 MB one way, GB/s", Row.STREAM_1M, Metric.GIGABYTES),
                ofSockets("   100 B there and back, p50 us", Row.PING_PONG_100, Metric.P50),
                ofSockets("   its p99.9", Row.PING_PONG_100, Metric.P999),
                ofSockets("   100 B there and back, virtual threads, p50 us", Row.PING_PONG_VIRTUAL, Metric.P50),
                ofSockets("   100 B, PipeDevice at one end, p50 us", Row.PING_PONG_PLAIN_SERVER, Metric.P50),
                ofSockets("   64 KB, PipeDevice at one end, CPU s/GB", Row.STREAM_64K_PLAIN_SERVER, Metric.CPU));
    }

    private static RatioLine ofChannels(String what, Row row, Metric metric, Form form) {
        return new RatioLine(what, row, metric, LocalTransport.PIPEDEVICE, form);
    }

    private static RatioLine more(String what, Row row, Metric metric) {
        return ofChannels(what, row, metric, Form.MORE_THAN_TCP);
    }

    private static RatioLine less(String what, Row row, Metric metric) {
        return ofChannels(what, row, metric, Form.LESS_THAN_TCP);
    }

    private static RatioLine asChannels(String what, Row row, Metric metric) {
        return new RatioLine(what, row, metric, LocalTransport.SOCKET_PIPEDEVICE, Form.AS_CHANNELS);
    }

    private static RatioLine ofSockets(String what, Row row, Metric metric) {
        return new RatioLine(what, row, metric, LocalTransport.SOCKET_PIPEDEVICE, Form.LESS_THAN_TCP);
    }

    /** The ratio; empty if a figure that it needs was not measured. */
    OptionalDouble ratio(Figures figures) {
        return switch (form) {
            case MORE_THAN_TCP, LESS_THAN_TCP -> toTcp(figures, own);
            case ALWAYS_MORE_THAN_TCP ->
                figures.ratios(row, metric, own, own.onKernel()).stream()
                        .mapToDouble(Double::doubleValue)
                        .min();
            case AS_CHANNELS -> Figures.ratio(toTcp(figures, own), toTcp(figures, LocalTransport.PIPEDEVICE));
            case AS_WITH_FEW -> Figures.ratio(figures.median(row, own, metric), withFew(figures));
        };
    }

    private OptionalDouble toTcp(Figures figures, LocalTransport transport) {
        return Figures.ratio(figures.median(row, transport, metric), figures.median(row, transport.onKernel(), metric));
    }

    private OptionalDouble withFew(Figures figures) {
        return row == Row.ROTATING_MANY
                ? figures.median(Row.ROTATING_FEW, own, metric)
                : figures.median(row, own, Metric.ECHOES_FEW);
    }

    /** A ratio as text. */
    String format(double ratio) {
        return switch (form) {
            case MORE_THAN_TCP, ALWAYS_MORE_THAN_TCP -> Numbers.significant(ratio) + " x";
            case LESS_THAN_TCP ->
                ratio > 0 && ratio <= 0.5
                        ? "1/" + Numbers.significant(1 / ratio)
                        : String.format(Locale.ROOT, "%.2f", ratio);
            case AS_CHANNELS, AS_WITH_FEW -> String.format(Locale.ROOT, "%.0f %%", ratio * 100);
        };
    }
}
