// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import io.pipedevice.bench.Stream.Part;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.HdrHistogram.Histogram;

/** Writes results as text for people. */
final class CoreReport {
    private static final double[] PERCENTILES = {50, 99, 99.9};
    private static final int MANY = 3;

    private final CoreOptions options;
    private final CoreResults results;
    private final Formatter out = new Formatter(Locale.ROOT);

    CoreReport(CoreOptions options, CoreResults results) {
        this.options = options;
        this.results = results;
    }

    /**
     * The report.
     *
     * @param facts of the machine, name and value
     * @param allocation whether to show the heap that was allocated
     */
    String text(Map<String, String> facts, boolean allocation) {
        facts.forEach((name, value) -> out.format("%-12s%s%n", name, value));
        for (Phase phase : options.phases()) {
            if (phase == Phase.PING_PONG) {
                latencies();
            } else {
                streams(phase);
                aims(phase);
                if (allocation) {
                    allocation(phase);
                }
                if (options.systemCalls()) {
                    systemCalls(phase);
                }
            }
        }
        return out.toString();
    }

    private void streams(Phase phase) {
        title("One way, " + phase.title() + ": medians of " + options.runs() + " runs");
        out.format(
                "%8s | %-26s | %-30s | %-27s | %-20s | apps CPU%n",
                "", "Gbps", "messages/s", "PipeDevice CPU s/GB", "TCP CPU s/GB");
        row(
                "message",
                "PipeDevice",
                "TCP",
                "ratio",
                "PipeDevice",
                "TCP",
                "ratio",
                "client",
                "server",
                "driver",
                "all",
                "client",
                "server",
                "all",
                "ratio");
        for (int size : options.sizes()) {
            Stream pd = results.stream(Transport.PIPEDEVICE, phase, size);
            Stream tcp = results.stream(Transport.TCP, phase, size);
            row(
                    size(size),
                    number(pd == null ? null : pd.gbps(), 2),
                    number(tcp == null ? null : tcp.gbps(), 2),
                    ratio(pd == null ? null : pd.gbps(), tcp == null ? null : tcp.gbps()),
                    number(pd == null ? null : pd.messages(), 0),
                    number(tcp == null ? null : tcp.messages(), 0),
                    ratio(pd == null ? null : pd.messages(), tcp == null ? null : tcp.messages()),
                    cpu(pd, Part.CLIENT),
                    cpu(pd, Part.SERVER),
                    cpu(pd, Part.DRIVER),
                    number(pd == null ? null : pd.totalCpuPerGb(), MANY),
                    cpu(tcp, Part.CLIENT),
                    cpu(tcp, Part.SERVER),
                    number(tcp == null ? null : tcp.totalCpuPerGb(), MANY),
                    ratio(
                            pd == null ? null : pd.applicationCpuPerGb(),
                            tcp == null ? null : tcp.applicationCpuPerGb()));
        }
    }

    private void row(Object... columns) {
        out.format("%8s | %10s %8s %6s | %11s %11s %6s | %6s %6s %6s %6s | %6s %6s %6s | %6s%n", columns);
    }

    /** Adds the project's aims, if both transports were measured. */
    private void aims(Phase phase) {
        Stream pd = results.stream(Transport.PIPEDEVICE, phase, 64);
        Stream tcp = results.stream(Transport.TCP, phase, 64);
        if (pd != null && tcp != null) {
            aim("64 B: at least 10 times TCP's messages/s", pd.messages() / tcp.messages(), true, 10);
        }
        pd = results.stream(Transport.PIPEDEVICE, phase, 64 << 10);
        tcp = results.stream(Transport.TCP, phase, 64 << 10);
        if (pd != null && tcp != null) {
            aim("64 KB: at least 3 times TCP's throughput", pd.gbps() / tcp.gbps(), true, 3);
            aim(
                    "64 KB: at most half of TCP's CPU per GB in the application processes",
                    pd.applicationCpuPerGb() / tcp.applicationCpuPerGb(),
                    false,
                    0.5);
        }
    }

    private void aim(String what, double is, boolean atLeast, double wanted) {
        out.format("aim, %s: %.2f, %s%n", what, is, (atLeast ? is >= wanted : is <= wanted) ? "reached" : "missed");
    }

    private void latencies() {
        title("Round trips in microseconds, blocking on both sides: all of " + options.runs() + " runs together");
        out.format("(one at a time, the next begins when the last is back: nothing is omitted by being late)%n");
        out.format("%8s | %-10s | %9s %9s %9s %9s | %10s%n", "message", "", "p50", "p99", "p99.9", "max", "count");
        for (int size : options.sizes()) {
            for (Transport transport : options.transports()) {
                Histogram histogram = results.latency(transport, size);
                if (histogram != null) {
                    StringJoiner columns = new StringJoiner(" ");
                    for (double percentile : PERCENTILES) {
                        columns.add(
                                String.format(Locale.ROOT, "%9.1f", histogram.getValueAtPercentile(percentile) / 1e3));
                    }
                    out.format(
                            "%8s | %-10s | %s %9.1f | %10d%n",
                            size(size),
                            transport.title(),
                            columns,
                            histogram.getMaxValue() / 1e3,
                            histogram.getTotalCount());
                }
            }
        }
    }

    private void allocation(Phase phase) {
        title("Bytes of heap allocated per message, " + phase.title());
        out.format("%8s | %-10s | %10s %10s %10s%n", "message", "", "client", "server", "driver");
        for (int size : options.sizes()) {
            for (Transport transport : options.transports()) {
                Stream stream = results.stream(transport, phase, size);
                if (stream != null) {
                    out.format(
                            "%8s | %-10s | %10s %10s %10s%n",
                            size(size),
                            transport.title(),
                            number(stream.allocatedPerMessage().get(Part.CLIENT), 4),
                            number(stream.allocatedPerMessage().get(Part.SERVER), 4),
                            number(stream.allocatedPerMessage().get(Part.DRIVER), 4));
                }
            }
        }
    }

    private void systemCalls(Phase phase) {
        title("System calls per 1000 messages, " + phase.title() + " (all threads; strace slows what it counts)");
        for (int size : options.sizes()) {
            for (Transport transport : options.transports()) {
                Map<Part, Map<String, Double>> counted = results.systemCalls(transport, phase, size);
                if (counted != null) {
                    counted.forEach((part, calls) -> out.format(
                            "%8s | %-10s | %-6s | %s%n",
                            size(size), transport.title(), part.name().toLowerCase(Locale.ROOT), mostFrequent(calls)));
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
        return number(stream == null ? null : stream.cpuPerGb().get(part), MANY);
    }

    private static String number(Double value, int digits) {
        return value == null ? "-" : String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    private static String ratio(Double one, Double other) {
        return one == null || other == null || other == 0 ? "-" : String.format(Locale.ROOT, "%.2f", one / other);
    }

    /** A size in the form of the options. */
    static String size(int size) {
        if (size >= 1 << 20 && size % (1 << 20) == 0) {
            return (size >> 20) + " MB";
        }
        return size >= 1 << 10 && size % (1 << 10) == 0 ? (size >> 10) + " KB" : size + " B";
    }

    private void title(String title) {
        out.format("%n%s%n", title);
    }
}
