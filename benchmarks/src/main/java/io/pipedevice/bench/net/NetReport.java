// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Formats results as tables. */
final class NetReport {
    private static final double NOISY = 0.25;

    /** Most runs in a line of a table. */
    private static final int MOST_RUNS = 10;

    /** The transports that tables have beside kernel TCP. */
    private static final List<LocalTransport> COMPARED =
            List.of(LocalTransport.PIPEDEVICE, LocalTransport.SOCKET_PIPEDEVICE);

    private final NetOptions options;
    private final Figures figures;

    NetReport(NetOptions options, Figures figures) {
        this.options = options;
        this.figures = figures;
    }

    /**
     * The report as text.
     *
     * @param facts of the machine, name and value
     */
    String text(Map<String, String> facts) {
        return TextPage.text(facts, tables(), figures.gaps());
    }

    /** All tables that are not empty. */
    List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        tables.add(ratios());
        tables.add(runs());
        List<Row> streams = options.rows().stream().filter(Row::isStream).toList();
        for (Metric metric : List.of(Metric.GIGABYTES, Metric.MESSAGES, Metric.CPU)) {
            tables.add(byRow("One way: " + metric.unit(), streams, metric));
        }
        tables.add(latencies());
        tables.add(connections());
        tables.add(seldom());
        tables.add(firstSeconds());
        tables.add(costs());
        tables.add(noise());
        tables.add(cacheLines());
        tables.removeIf(table -> table.rows().isEmpty());
        return tables;
    }

    private Table ratios() {
        List<List<String>> rows = new ArrayList<>();
        for (RatioLine line : RatioLine.all()) {
            OptionalDouble ratio = line.ratio(figures);
            OptionalDouble own = figures.median(line.row(), line.own(), line.metric());
            OptionalDouble tcp = figures.median(line.row(), line.own().onKernel(), line.metric());
            if (own.isPresent() || tcp.isPresent()) {
                rows.add(List.of(
                        line.what(),
                        line.metric().text(own),
                        line.metric().text(tcp),
                        ratio.isPresent() ? line.format(ratio.getAsDouble()) : "-"));
            }
        }
        return new Table(
                "PipeDevice beside kernel TCP: java.nio, and java.net with its ratio in parts of java.nio's; medians of "
                        + options.runs() + " runs",
                List.of("", "PipeDevice", "TCP", "ratio"),
                rows);
    }

    /** The single runs behind each median. */
    private Table runs() {
        List<String> head = new ArrayList<>(List.of("", "least", "median"));
        boolean all = options.runs() <= MOST_RUNS;
        for (int run = 1; all && run <= options.runs(); run++) {
            head.add("run " + run);
        }
        List<List<String>> lines = new ArrayList<>();
        for (RatioLine each : RatioLine.all()) {
            List<Double> ratios = figures.ratios(
                    each.row(), each.metric(), each.own(), each.own().onKernel());
            if (each.form() == RatioLine.Form.MORE_THAN_TCP && options.runs() > 1 && ratios.size() == options.runs()) {
                double[] sorted = ratios.stream()
                        .mapToDouble(Double::doubleValue)
                        .sorted()
                        .toArray();
                double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
                List<String> line = new ArrayList<>(List.of(each.what(), each.format(sorted[0]), each.format(median)));
                ratios.stream().filter(any -> all).map(each::format).forEach(line::add);
                lines.add(line);
            }
        }
        return new Table("PipeDevice / TCP in each run", head, lines);
    }

    private Table byRow(String title, List<Row> rows, Metric metric) {
        List<String> head = new ArrayList<>(List.of(""));
        rows.forEach(row -> head.add(row.label()));
        List<List<String>> lines = new ArrayList<>();
        for (NetTransport transport : options.transports()) {
            List<String> line = new ArrayList<>(List.of(transport.title()));
            rows.forEach(row -> line.add(metric.text(figures.median(row, transport, metric))));
            addUnlessEmpty(lines, line);
        }
        return new Table(title, head, lines);
    }

    private Table latencies() {
        List<List<String>> lines = new ArrayList<>();
        for (Row row : options.rows()) {
            if (row.isPingPong() || row == Row.CONNECT) {
                for (NetTransport transport : options.transports()) {
                    List<String> line = new ArrayList<>(List.of(row.title() + ", " + transport.title()));
                    for (Metric metric : List.of(Metric.P50, Metric.P99, Metric.P999)) {
                        line.add(metric.text(figures.median(row, transport, metric)));
                    }
                    addUnlessEmpty(lines, line);
                }
            }
        }
        return new Table(
                "There and back, one at a time: us (connect: one connection from its beginning to its end)",
                List.of("", "p50", "p99", "p99.9"),
                lines);
    }

    private Table connections() {
        List<Metric> metrics = List.of(
                Metric.CONNECTIONS,
                Metric.ECHOES_FEW,
                Metric.ECHOES_MANY,
                Metric.MEMORY,
                Metric.MEMORY_PROCESSES,
                Metric.MEMORY_HEAP,
                Metric.MEMORY_SHARED,
                Metric.MEMORY_KERNEL,
                Metric.IDLE_CPU);
        List<List<String>> lines = new ArrayList<>();
        for (NetTransport transport : options.transports()) {
            List<String> line = new ArrayList<>(List.of(transport.title()));
            for (Metric metric : metrics) {
                line.add(metric.text(figures.median(rowOf(metric), transport, metric)));
            }
            addUnlessEmpty(lines, line);
        }
        return new Table(
                "Connections: set up per second; echoes/s on 8 of " + options.few() + " and of " + options.many()
                        + "; KB for an idle one, both ends; % of a processor for " + options.idle() + " idle ones",
                List.of(
                        "",
                        "set up/s",
                        "of " + options.few(),
                        "of " + options.many(),
                        "KB",
                        "private",
                        "heap",
                        "shared",
                        "kernel",
                        "idle %"),
                lines);
    }

    private Table seldom() {
        List<List<String>> lines = new ArrayList<>();
        for (Row row : List.of(Row.ROTATING_FEW, Row.ROTATING_MANY, Row.PROCESSES)) {
            for (NetTransport transport : options.transports()) {
                List<String> line = new ArrayList<>(List.of(row.title() + ", " + transport.title()));
                for (Metric metric : List.of(Metric.ECHOES, Metric.P50, Metric.P99)) {
                    line.add(metric.text(figures.median(row, transport, metric)));
                }
                addUnlessEmpty(lines, line);
            }
        }
        return new Table(
                "64 B there and back, one selector in the server: 8 under way, the next on the next of " + options.few()
                        + " or " + options.many() + " connections; or " + options.processes()
                        + " processes with one each: us",
                List.of("", "echoes/s", "p50", "p99"),
                lines);
    }

    private Table firstSeconds() {
        List<List<String>> lines = new ArrayList<>();
        for (NetTransport transport : options.transports()) {
            List<String> line = new ArrayList<>(List.of(transport.title()));
            for (Metric metric :
                    List.of(Metric.FIRST_SECOND, Metric.SECOND_SECOND, Metric.THIRD_SECOND, Metric.FIRST_SECONDS)) {
                line.add(metric.text(figures.median(Row.FIRST_SECONDS, transport, metric)));
            }
            for (Metric metric : List.of(Metric.CPU_SELECTOR, Metric.CPU_CONNECT)) {
                line.add(metric.text(figures.median(Row.START_UP, transport, metric)));
            }
            addUnlessEmpty(lines, line);
        }
        return new Table(
                "A JVM that has just started: connections made and closed in its seconds 1, 2, 3 and in all; CPU ms of one"
                        + " that opens a selector and ends, and of one that connects and ends",
                List.of("", "1st", "2nd", "3rd", "all", "selector", "connect"),
                lines);
    }

    private static Row rowOf(Metric metric) {
        return switch (metric) {
            case CONNECTIONS -> Row.CONNECT;
            case ECHOES_FEW, ECHOES_MANY -> Row.BUSY;
            case IDLE_CPU -> Row.IDLE;
            default -> Row.MEMORY;
        };
    }

    /** The name of a row in a table that has both java.nio and java.net. */
    private static String rowOf(Row row, LocalTransport transport) {
        return transport == LocalTransport.SOCKET_PIPEDEVICE ? row.title() + ", java.net" : row.title();
    }

    private Table costs() {
        List<List<String>> lines = new ArrayList<>();
        for (Row row : options.rows()) {
            for (LocalTransport own : COMPARED) {
                List<String> line = new ArrayList<>(List.of(rowOf(row, own)));
                for (Metric metric : List.of(Metric.ALLOCATED, Metric.SYSTEM_CALLS)) {
                    line.add(metric.text(figures.median(row, own, metric)));
                    line.add(metric.text(figures.median(row, own.onKernel(), metric)));
                }
                addUnlessEmpty(lines, line);
            }
        }
        return new Table(
                "What a message costs beside time, both processes: bytes of heap; system calls for 1000 (by --strace)",
                List.of("", "PipeDevice, heap", "TCP", "PipeDevice, calls", "TCP"),
                lines);
    }

    /** The figures that say little, because the runs differ. */
    private Table noise() {
        List<List<String>> lines = new ArrayList<>();
        for (RatioLine each : RatioLine.all()) {
            double own = figures.spread(each.row(), each.own(), each.metric());
            double tcp = figures.spread(each.row(), each.own().onKernel(), each.metric());
            if (own > NOISY || tcp > NOISY) {
                lines.add(List.of(
                        rowOf(each.row(), each.own()) + ", " + each.metric(),
                        String.format(Locale.ROOT, "%.0f %%", own * 100),
                        String.format(Locale.ROOT, "%.0f %%", tcp * 100)));
            }
        }
        return new Table(
                "Runs that differ by more than a quarter of their median: largest less smallest",
                List.of("", "PipeDevice", "TCP"),
                lines);
    }

    /**
     * The times of the cache line. Without them, a slow program could not be told from a host that has moved the
     * virtual processors apart.
     */
    private Table cacheLines() {
        List<List<String>> lines = new ArrayList<>();
        for (Row row : options.rows()) {
            for (LocalTransport own : COMPARED) {
                List<String> line = new ArrayList<>(List.of(rowOf(row, own)));
                for (LocalTransport transport : List.of(own, own.onKernel())) {
                    line.add(Metric.CACHE_LINE.text(figures.median(row, transport, Metric.CACHE_LINE)));
                    line.add(figures.range(row, transport, Metric.CACHE_LINE).stream()
                            .map(nanos -> Metric.CACHE_LINE.text(OptionalDouble.of(nanos)))
                            .collect(Collectors.joining(" to ")));
                }
                addUnlessEmpty(lines, line);
            }
        }
        return new Table(
                "What the machine gave just before: ns of a cache line from one processor to the other and back",
                List.of("", "PipeDevice", "range", "TCP", "range"),
                lines);
    }

    private static void addUnlessEmpty(List<List<String>> lines, List<String> line) {
        if (line.stream().skip(1).anyMatch(cell -> !cell.isEmpty() && !cell.equals("-"))) {
            lines.add(line);
        }
    }
}
