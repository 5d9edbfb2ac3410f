// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import io.pipedevice.bench.core.Stream.Part;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** Writes results as text for people. */
final class CoreReport {
    private static final double P50 = 50;
    private static final double P99 = 99;
    private static final double P999 = 99.9;
    private static final int MANY = 3;

    private final CoreOptions options;
    private final CoreResults results;
    private final List<Subject> devices;

    /** Width of the column of titles. */
    private final int width;

    private final Formatter out = new Formatter(Locale.ROOT);

    CoreReport(CoreOptions options, CoreResults results) {
        this.options = options;
        this.results = results;
        List<Subject> rows =
                options.subjects().stream().filter(Subject::isDevice).toList();
        // TCP alone has its rows as well
        this.devices = rows.isEmpty() ? List.of(Subject.EMULATOR) : rows;
        this.width = Math.max(
                10,
                devices.stream()
                        .mapToInt(device -> device.title().length())
                        .max()
                        .orElse(0));
    }

    /**
     * The report.
     *
     * @param facts of the machine, name and value
     * @param allocation whether to show the heap that was allocated
     */
    String text(Map<String, String> facts, boolean allocation) {
        int longest = facts.keySet().stream().mapToInt(String::length).max().orElse(0);
        String format = "%-" + Math.max(10, longest) + "s  %s%n";
        facts.forEach((name, value) -> out.format(format, name, value));
        for (Phase phase : options.phases()) {
            if (phase == Phase.PING_PONG) {
                latencies();
            } else {
                streams(phase);
                ratios(phase);
                if (allocation) {
                    allocation(phase);
                }
                if (options.systemCalls()) {
                    systemCalls(phase);
                }
            }
        }
        if (!results.failures().isEmpty()) {
            title("Failed, and not measured from there on");
            results.failures()
                    .forEach((subject, reason) -> out.format(Locale.ROOT, "%s: %s%n", subject.title(), reason));
        }
        return out.toString();
    }

    private void streams(Phase phase) {
        title("One way, " + phase.title() + ", "
                + (options.connections() == 1 ? "1 connection" : options.connections() + " connections together")
                + ": medians of " + options.runs() + " runs");
        out.format(
                Locale.ROOT,
                "%8s | %s | %-29s | %-30s | %-34s | %-20s | %-13s%n",
                "",
                padded(""),
                "GB/s",
                "messages/s",
                "the device's CPU s/GB",
                "TCP's CPU s/GB",
                "CPU, times TCP's");
        row(
                "message", "device", "device", "TCP", "/TCP", "/emul", "device", "TCP", "/TCP", "client", "server",
                "apps", "driver", "all", "client", "server", "apps", "apps", "all");
        for (int size : options.sizes()) {
            Stream tcp = results.stream(Subject.TCP, phase, size);
            for (Subject device : devices) {
                Stream pd = results.stream(device, phase, size);
                Stream emulator =
                        device.equals(Subject.EMULATOR) ? null : results.stream(Subject.EMULATOR, phase, size);
                row(
                        size(size),
                        device.title(),
                        number(pd, Stream::gbPerSecond, 2),
                        number(tcp, Stream::gbPerSecond, 2),
                        ratio(pd, tcp, Stream::gbPerSecond),
                        ratio(pd, emulator, Stream::gbPerSecond),
                        number(pd, Stream::messages, 0),
                        number(tcp, Stream::messages, 0),
                        ratio(pd, tcp, Stream::messages),
                        cpu(pd, Part.CLIENT),
                        cpu(pd, Part.SERVER),
                        number(pd, Stream::applicationCpuPerGb, MANY),
                        cpu(pd, Part.DRIVER),
                        number(pd, Stream::totalCpuPerGb, MANY),
                        cpu(tcp, Part.CLIENT),
                        cpu(tcp, Part.SERVER),
                        number(tcp, Stream::applicationCpuPerGb, MANY),
                        ratio(pd, tcp, Stream::applicationCpuPerGb),
                        ratio(pd, tcp, Stream::totalCpuPerGb));
            }
        }
    }

    private void row(Object message, Object device, Object... columns) {
        out.format(Locale.ROOT, "%8s | %s", message, padded(device));
        out.format(
                Locale.ROOT,
                " | %8s %6s %6s %6s | %11s %11s %6s | %6s %6s %6s %6s %6s | %6s %6s %6s | %7s %7s%n",
                columns);
    }

    private String padded(Object title) {
        return String.format(Locale.ROOT, "%-" + width + "s", title);
    }

    /** Adds the ratios to TCP of each device that was measured beside it. */
    private void ratios(Phase phase) {
        for (Subject device : devices) {
            ratios(device, phase);
        }
    }

    private void ratios(Subject device, Phase phase) {
        Stream pd = results.stream(device, phase, 64);
        Stream tcp = results.stream(Subject.TCP, phase, 64);
        if (pd != null && tcp != null) {
            ratio(device, "64 B, messages/s", pd.messages() / tcp.messages());
        }
        pd = results.stream(device, phase, 64 << 10);
        tcp = results.stream(Subject.TCP, phase, 64 << 10);
        if (pd != null && tcp != null) {
            ratio(device, "64 KB, GB/s", pd.gbPerSecond() / tcp.gbPerSecond());
            ratio(
                    device,
                    "64 KB, CPU per GB in the application processes",
                    pd.applicationCpuPerGb() / tcp.applicationCpuPerGb());
        }
    }

    private void ratio(Subject device, String what, double is) {
        out.format(Locale.ROOT, "%s / TCP, %s: %.2f%n", device.title(), what, is);
    }

    private void latencies() {
        title("Round trips in microseconds, 1 connection, blocking on both sides: all of " + options.runs()
                + " runs together");
        out.format(
                Locale.ROOT,
                "(one at a time, the next begins when the last is back: nothing is omitted by being late)%n");
        out.format(
                Locale.ROOT,
                "%8s | %s | %9s %9s %9s %9s | %10s | %8s %8s | %8s %8s%n",
                "message",
                padded(""),
                "p50",
                "p99",
                "p99.9",
                "max",
                "count",
                "p50/TCP",
                "p99/TCP",
                "p50/emul",
                "p99/emul");
        for (int size : options.sizes()) {
            for (Subject subject : options.subjects()) {
                Histogram one = results.latency(subject, size);
                if (one != null) {
                    Histogram tcp = subject.equals(Subject.TCP) ? null : results.latency(Subject.TCP, size);
                    Histogram emulator = subject.equals(Subject.EMULATOR) || !subject.isDevice()
                            ? null
                            : results.latency(Subject.EMULATOR, size);
                    out.format(
                            Locale.ROOT,
                            "%8s | %s | %9s %9s %9s %9.1f | %10d | %8s %8s | %8s %8s%n",
                            size(size),
                            padded(subject.title()),
                            number(one, micros(P50), 1),
                            number(one, micros(P99), 1),
                            number(one, micros(P999), 1),
                            one.getMaxValue() / 1e3,
                            one.getTotalCount(),
                            ratio(one, tcp, micros(P50)),
                            ratio(one, tcp, micros(P99)),
                            ratio(one, emulator, micros(P50)),
                            ratio(one, emulator, micros(P99)));
                }
            }
        }
    }

    private static ToDoubleFunction<Histogram> micros(double percentile) {
        return histogram -> histogram.getValueAtPercentile(percentile) / 1e3;
    }

    private void allocation(Phase phase) {
        title("Bytes of heap allocated per message, " + phase.title());
        out.format(Locale.ROOT, "%8s | %s | %10s %10s %10s%n", "message", padded(""), "client", "server", "driver");
        for (int size : options.sizes()) {
            for (Subject subject : options.subjects()) {
                Stream stream = results.stream(subject, phase, size);
                if (stream != null) {
                    List<String> columns = new ArrayList<>();
                    for (Part part : Part.values()) {
                        Double bytes = stream.allocatedPerMessage().get(part);
                        columns.add(bytes == null ? "-" : String.format(Locale.ROOT, "%.4f", bytes));
                    }
                    out.format(Locale.ROOT, "%8s | %s", size(size), padded(subject.title()));
                    out.format(Locale.ROOT, " | %10s %10s %10s%n", columns.toArray());
                }
            }
        }
    }

    private void systemCalls(Phase phase) {
        title("System calls per 1000 messages, " + phase.title() + " (all threads; strace slows what it counts)");
        for (int size : options.sizes()) {
            for (Subject subject : options.subjects()) {
                Map<Part, Map<String, Double>> counted = results.systemCalls(subject, phase, size);
                if (counted != null) {
                    counted.forEach((part, calls) -> out.format(
                            Locale.ROOT,
                            "%8s | %s | %-6s | %s%n",
                            size(size),
                            padded(subject.title()),
                            part.name().toLowerCase(Locale.ROOT),
                            mostFrequent(calls)));
                }
            }
        }
    }

    private static String mostFrequent(Map<String, Double> calls) {
        double sum = calls.values().stream().mapToDouble(Double::doubleValue).sum();
        List<String> names = calls.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(MANY)
                .map(entry -> String.format(Locale.ROOT, "%s %.3f", entry.getKey(), 1000 * entry.getValue()))
                .toList();
        return String.format(Locale.ROOT, "%10.3f: %s", 1000 * sum, String.join(", ", names));
    }

    private static String cpu(Stream stream, Part part) {
        return stream == null || !stream.cpuPerGb().containsKey(part)
                ? "-"
                : number(stream, one -> one.cpuPerGb().get(part), MANY);
    }

    private static <T> String number(T from, ToDoubleFunction<T> figure, int digits) {
        return from == null ? "-" : String.format(Locale.ROOT, "%." + digits + "f", figure.applyAsDouble(from));
    }

    private static <T> String ratio(T one, T other, ToDoubleFunction<T> figure) {
        if (one == null || other == null || figure.applyAsDouble(other) == 0) {
            return "-";
        }
        double ratio = figure.applyAsDouble(one) / figure.applyAsDouble(other);
        return String.format(Locale.ROOT, ratio < 0.1 ? "%.3f" : "%.2f", ratio);
    }

    /** A size in the form of the options. */
    static String size(int size) {
        if (size >= 1 << 20 && size % (1 << 20) == 0) {
            return (size >> 20) + " MB";
        }
        return size >= 1 << 10 && size % (1 << 10) == 0 ? (size >> 10) + " KB" : size + " B";
    }

    private void title(String title) {
        out.format(Locale.ROOT, "%n%s%n", title);
    }
}
