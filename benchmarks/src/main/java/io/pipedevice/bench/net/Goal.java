// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A figure that the project wants to reach.
 *
 * @param what its description
 * @param row in which it is measured
 * @param metric the figure of the row
 * @param own the transport on PipeDevice
 * @param form the value that is compared with the bounds
 * @param atLeast the bound that must be reached
 * @param aim the bound that is wanted
 */
record Goal(String what, Row row, Metric metric, LocalTransport own, Form form, double atLeast, double aim) {
    /** The value that is compared with the bounds. */
    enum Form {
        /** The ratio to TCP, which should be large. */
        MORE_THAN_TCP,

        /** The same in the worst run. */
        ALWAYS_MORE_THAN_TCP,

        /** The ratio to TCP, which should be small. */
        LESS_THAN_TCP,

        /** The ratio to TCP in parts of the one that channels reach. */
        AS_CHANNELS,

        /** The ratio to PipeDevice's own figure with few connections. */
        AS_WITH_FEW,

        /** The figure itself, in bytes. */
        BYTES,

        /** The figure itself, as a share of a processor. */
        SHARE,

        /** The figure itself, in seconds. */
        SECONDS
    }

    /** A goal of channels. */
    Goal(String what, Row row, Metric metric, Form form, double atLeast, double aim) {
        this(what, row, metric, LocalTransport.PIPEDEVICE, form, atLeast, aim);
    }

    /** All goals, in the order of the report. */
    static List<Goal> all() {
        List<Goal> goals = new ArrayList<>();
        goals.add(more("64 B one way, TCP_NODELAY, messages/s", Row.STREAM_64, Metric.MESSAGES, 60, 150));
        goals.add(new Goal(
                "   the worst of the runs", Row.STREAM_64, Metric.MESSAGES, Form.ALWAYS_MORE_THAN_TCP, 80, 150));
        goals.add(
                more("64 B one way, without TCP_NODELAY, messages/s", Row.STREAM_64_GATHERED, Metric.MESSAGES, 10, 30));
        goals.add(more("1 KB one way, GB/s", Row.STREAM_1K, Metric.GIGABYTES, 20, 60));
        goals.add(more("16 KB one way, GB/s", Row.STREAM_16K, Metric.GIGABYTES, 4, 9));
        goals.add(more("64 KB one way, GB/s", Row.STREAM_64K, Metric.GIGABYTES, 3, 5));
        goals.add(more("1 MB one way, GB/s", Row.STREAM_1M, Metric.GIGABYTES, 2, 3));
        goals.add(less("64 KB one way, CPU s/GB of all processes", Row.STREAM_64K, Metric.CPU, 1.0 / 3, 1.0 / 4));
        goals.add(less("64 B there and back, blocking, p50 us", Row.PING_PONG_64, Metric.P50, 1.0 / 35, 1.0 / 120));
        goals.add(less("   p99.9", Row.PING_PONG_64, Metric.P999, 1, 1.0 / 4));
        goals.add(
                less("64 B there and back, selectors, p50 us", Row.PING_PONG_SELECTOR, Metric.P50, 1.0 / 30, 1.0 / 80));
        goals.add(less("   p99.9", Row.PING_PONG_SELECTOR, Metric.P999, 1, 1.0 / 4));
        goals.add(less("64 B there and back, no spinning, p50 us", Row.PING_PONG_NO_SPIN, Metric.P50, 1, 0.7));
        goals.add(less("   p99.9", Row.PING_PONG_NO_SPIN, Metric.P999, 1, 1.0 / 4));
        goals.add(more("connect, a byte each way, close, per second", Row.CONNECT, Metric.CONNECTIONS, 1, 3));
        goals.add(new Goal(
                "busy connections among many: echoes/s against few",
                Row.BUSY,
                Metric.ECHOES_MANY,
                Form.AS_WITH_FEW,
                0.9,
                1));
        goals.add(more("next message on the next connection, few: echoes/s", Row.ROTATING_FEW, Metric.ECHOES, 5, 10));
        goals.add(
                new Goal("   many: echoes/s against few", Row.ROTATING_MANY, Metric.ECHOES, Form.AS_WITH_FEW, 0.9, 1));
        goals.add(more("processes of one connection each: echoes/s", Row.PROCESSES, Metric.ECHOES, 1.5, 1.5));
        goals.add(more("connections made in a JVM's first 3 s", Row.FIRST_SECONDS, Metric.FIRST_SECONDS, 1, 1));
        goals.add(new Goal(
                "JVM that opens one selector, CPU ms", Row.START_UP, Metric.CPU_SELECTOR, Form.SECONDS, 0.25, 0.25));
        goals.add(new Goal("   that connects once", Row.START_UP, Metric.CPU_CONNECT, Form.SECONDS, 0.3, 0.3));
        goals.add(new Goal(
                "memory of an idle connection, both ends", Row.MEMORY, Metric.MEMORY, Form.BYTES, 64 << 10, 16 << 10));
        goals.add(new Goal("CPU while all connections are idle", Row.IDLE, Metric.IDLE_CPU, Form.SHARE, 0.001, 0));
        goals.add(asChannels("java.net: 64 B one way, TCP_NODELAY, messages/s", Row.STREAM_64, Metric.MESSAGES));
        goals.add(asChannels("   1 KB one way, GB/s", Row.STREAM_1K, Metric.GIGABYTES));
        goals.add(asChannels("   64 KB one way, GB/s", Row.STREAM_64K, Metric.GIGABYTES));
        goals.add(asChannels("   1 MB one way, GB/s", Row.STREAM_1M, Metric.GIGABYTES));
        goals.add(ofSockets("   100 B there and back, p50 us", Row.PING_PONG_100, Metric.P50, 1.0 / 30, 1.0 / 120));
        goals.add(ofSockets("   its p99.9", Row.PING_PONG_100, Metric.P999, 1, 1.0 / 4));
        goals.add(ofSockets(
                "   100 B there and back, virtual threads, p50 us",
                Row.PING_PONG_VIRTUAL,
                Metric.P50,
                1.0 / 30,
                1.0 / 120));
        goals.add(ofSockets("   100 B, PipeDevice at one end, p50 us", Row.PING_PONG_PLAIN_SERVER, Metric.P50, 1.1, 1));
        goals.add(ofSockets(
                "   64 KB, PipeDevice at one end, CPU s/GB", Row.STREAM_64K_PLAIN_SERVER, Metric.CPU, 1.1, 1));
        return goals;
    }

    private static Goal asChannels(String what, Row row, Metric metric) {
        return new Goal(what, row, metric, LocalTransport.SOCKET_PIPEDEVICE, Form.AS_CHANNELS, 0.8, 1);
    }

    private static Goal ofSockets(String what, Row row, Metric metric, double atLeast, double aim) {
        return new Goal(what, row, metric, LocalTransport.SOCKET_PIPEDEVICE, Form.LESS_THAN_TCP, atLeast, aim);
    }

    private static Goal more(String what, Row row, Metric metric, double atLeast, double aim) {
        return new Goal(what, row, metric, Form.MORE_THAN_TCP, atLeast, aim);
    }

    private static Goal less(String what, Row row, Metric metric, double atLeast, double aim) {
        return new Goal(what, row, metric, Form.LESS_THAN_TCP, atLeast, aim);
    }

    /** The value that is compared with the bounds; empty if a figure that it needs was not measured. */
    OptionalDouble reached(Figures figures) {
        if (form == Form.ALWAYS_MORE_THAN_TCP) {
            return figures.ratios(row, metric, own, own.onKernel()).stream()
                    .mapToDouble(Double::doubleValue)
                    .min();
        }
        if (form == Form.AS_CHANNELS) {
            return Figures.ratio(toTcp(figures, own), toTcp(figures, LocalTransport.PIPEDEVICE));
        }
        OptionalDouble other = switch (form) {
            case MORE_THAN_TCP, ALWAYS_MORE_THAN_TCP, LESS_THAN_TCP, AS_CHANNELS ->
                figures.median(row, own.onKernel(), metric);
            case AS_WITH_FEW -> withFew(figures);
            case BYTES, SHARE, SECONDS -> OptionalDouble.of(1);
        };
        return Figures.ratio(figures.median(row, own, metric), other);
    }

    private OptionalDouble toTcp(Figures figures, LocalTransport transport) {
        return Figures.ratio(figures.median(row, transport, metric), figures.median(row, transport.onKernel(), metric));
    }

    private OptionalDouble withFew(Figures figures) {
        return row == Row.ROTATING_MANY
                ? figures.median(Row.ROTATING_FEW, own, metric)
                : figures.median(row, own, Metric.ECHOES_FEW);
    }

    /** One word for the bound that a value reaches. */
    String verdict(double value) {
        return isWithin(value, aim) ? "aim" : isWithin(value, atLeast) ? "at least" : "BELOW";
    }

    /** Whether the value, rounded as it is printed, reaches a bound. */
    private boolean isWithin(double value, double bound) {
        return switch (form) {
            case MORE_THAN_TCP, ALWAYS_MORE_THAN_TCP, AS_CHANNELS, AS_WITH_FEW -> value >= bound * 0.995;
            case LESS_THAN_TCP, BYTES, SECONDS -> value <= bound * 1.005;
            case SHARE -> value < bound + 0.00005;
        };
    }

    /** A value or a bound as text. */
    String format(double value) {
        return switch (form) {
            case MORE_THAN_TCP, ALWAYS_MORE_THAN_TCP -> Numbers.significant(value) + " x";
            case LESS_THAN_TCP ->
                value > 0 && value <= 0.5
                        ? "1/" + Numbers.significant(1 / value)
                        : String.format(Locale.ROOT, "%.2f", value);
            case AS_CHANNELS, AS_WITH_FEW -> String.format(Locale.ROOT, "%.0f %%", value * 100);
            case BYTES -> String.format(Locale.ROOT, "%.1f KB", value / 1024);
            case SHARE -> String.format(Locale.ROOT, "%.2f %%", value * 100);
            case SECONDS -> String.format(Locale.ROOT, "%.0f ms", value * 1000);
        };
    }
}
