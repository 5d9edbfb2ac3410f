// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.containers;

import io.pipedevice.bench.net.FigurePlots;
import io.pipedevice.bench.net.Figures;
import io.pipedevice.bench.net.HtmlPage;
import io.pipedevice.bench.net.Metric;
import io.pipedevice.bench.net.Numbers;
import io.pipedevice.bench.net.Row;
import io.pipedevice.bench.net.Table;
import io.pipedevice.bench.net.TextPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Formats results as tables and plots. */
final class ContainerReport {
    private static final double NANOS_PER_MICRO = 1000;
    private static final String NONE = "-";

    private final Figures figures;

    ContainerReport(Figures figures) {
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

    /**
     * The report as a page with plots.
     *
     * @param facts of the machine, name and value
     */
    String html(Map<String, String> facts) {
        return HtmlPage.html("PipeDevice between containers", facts, tables(), plots(), figures.gaps());
    }

    /** All tables that are not empty. */
    List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        tables.add(besideTcp("One way, and there and back: medians, and ratios to TCP", Line.traffic()));
        tables.add(besideTcp("Connections: medians, and ratios to TCP", Line.connections()));
        tables.add(besideTcp("Programs of the samples: medians, and ratios to TCP", Line.applications()));
        tables.add(besideTcp("Processor time of one way, s/GB: medians, and ratios to TCP", Line.processorTime()));
        tables.add(notAccelerated());
        tables.add(goals());
        tables.add(spread());
        tables.add(cacheLines());
        tables.removeIf(table -> table.rows().isEmpty());
        return tables;
    }

    private static String name(ContainerTransport transport) {
        return transport.name().toLowerCase(Locale.ROOT);
    }

    private Table besideTcp(String title, List<Line> lines) {
        List<String> head = new ArrayList<>(List.of("", name(ContainerTransport.TCP)));
        for (ContainerTransport transport : accelerated()) {
            head.addAll(List.of(name(transport), "ratio"));
        }
        List<List<String>> rows = new ArrayList<>();
        for (Line line : lines) {
            OptionalDouble tcp = figures.median(line.row(), ContainerTransport.TCP, line.metric());
            List<String> row =
                    new ArrayList<>(List.of(line.what(), line.metric().text(tcp)));
            for (ContainerTransport transport : accelerated()) {
                OptionalDouble own = figures.median(line.row(), transport, line.metric());
                row.add(line.metric().text(own));
                row.add(ratio(own, tcp));
            }
            addUnlessEmpty(rows, row);
        }
        return new Table(title, head, rows);
    }

    private static List<ContainerTransport> accelerated() {
        return List.of(
                ContainerTransport.SOCKMAP,
                ContainerTransport.PEERS,
                ContainerTransport.DIRECT,
                ContainerTransport.DEVICE);
    }

    private static String ratio(OptionalDouble own, OptionalDouble tcp) {
        return own.isEmpty() || tcp.isEmpty() || tcp.getAsDouble() == 0
                ? NONE
                : Numbers.significant(own.getAsDouble() / tcp.getAsDouble()) + " x";
    }

    private Table notAccelerated() {
        List<List<String>> rows = new ArrayList<>();
        for (Line line : Line.notAccelerated()) {
            OptionalDouble tcp = figures.median(line.row(), ContainerTransport.TCP, line.metric());
            OptionalDouble own = figures.median(line.row(), ContainerTransport.DIRECT, line.metric());
            Metric slow = Metric.CONNECT_P99;
            addUnlessEmpty(
                    rows,
                    List.of(
                            line.what(),
                            line.metric().text(tcp),
                            line.metric().text(own),
                            own.isEmpty() || tcp.isEmpty()
                                    ? NONE
                                    : Numbers.significant((own.getAsDouble() - tcp.getAsDouble()) / NANOS_PER_MICRO),
                            slow.text(figures.median(line.row(), ContainerTransport.TCP, slow)),
                            slow.text(figures.median(line.row(), ContainerTransport.DIRECT, slow))));
        }
        return new Table(
                "Connects of a program with PipeDevice and a driver that are not accelerated, us: the call alone",
                List.of("", "p50 tcp", "p50 PipeDevice", "more", "p99 tcp", "p99 PipeDevice"),
                rows);
    }

    private Table goals() {
        List<List<String>> rows = new ArrayList<>();
        for (ContainerGoal goal : ContainerGoal.all()) {
            goal.reached(figures)
                    .ifPresent(value -> rows.add(List.of(
                            goal.what(),
                            goal.text(value),
                            goal.bound(),
                            goal.isReachedBy(value) ? "reached" : "MISSED")));
        }
        return new Table("What the project wants to reach", List.of("", "value", "wanted", ""), rows);
    }

    /** The spread of the runs behind each median. */
    private Table spread() {
        List<String> head = new ArrayList<>(List.of(""));
        for (ContainerTransport transport : ContainerTransport.values()) {
            head.add(name(transport));
        }
        List<Line> lines = new ArrayList<>(Line.traffic());
        lines.addAll(Line.applications());
        lines.addAll(Line.connections());
        lines.addAll(Line.notAccelerated());
        List<List<String>> rows = new ArrayList<>();
        for (Line line : lines) {
            List<String> row = new ArrayList<>(List.of(line.what()));
            for (ContainerTransport transport : ContainerTransport.values()) {
                row.add(range(line.row(), transport, line.metric()));
            }
            addUnlessEmpty(rows, row);
        }
        return new Table("The runs: smallest to largest", head, figures.runs() > 1 ? rows : List.of());
    }

    private String range(Row row, ContainerTransport transport, Metric metric) {
        List<Double> range = figures.range(row, transport, metric);
        return range.isEmpty()
                ? NONE
                : range.stream()
                        .map(value -> metric.text(OptionalDouble.of(value)))
                        .collect(Collectors.joining(" to "));
    }

    /** The times of the cache line: how near the host had the processors to each other. */
    private Table cacheLines() {
        List<String> head = new ArrayList<>(List.of(""));
        for (ContainerTransport transport : ContainerTransport.values()) {
            head.add(name(transport));
        }
        List<List<String>> rows = new ArrayList<>();
        for (Row row : ContainersCommand.ROWS) {
            List<String> line = new ArrayList<>(List.of(row.title()));
            for (ContainerTransport transport : ContainerTransport.values()) {
                line.add(range(row, transport, Metric.CACHE_LINE));
            }
            addUnlessEmpty(rows, line);
        }
        return new Table(
                "What the machine gave just before: ns of a cache line from one processor to the other and back",
                head,
                rows);
    }

    private static void addUnlessEmpty(List<List<String>> rows, List<String> row) {
        if (row.stream().skip(1).anyMatch(cell -> !cell.equals(NONE))) {
            rows.add(row);
        }
    }

    private List<String> plots() {
        FigurePlots drawn = new FigurePlots(figures, List.of(ContainerTransport.values()));
        return List.of(
                drawn.curves("One way", "GB/s", Line.streams(), Metric.GIGABYTES, 1),
                drawn.curves("One way, CPU of the two programs", "s/GB", Line.streams(), Metric.CPU_PROGRAMS, 1),
                drawn.curves(
                        "There and back, blocking, p50", "us", Line.roundTrips(false), Metric.P50, NANOS_PER_MICRO),
                drawn.curves(
                        "There and back, selectors, p50", "us", Line.roundTrips(true), Metric.P50, NANOS_PER_MICRO),
                drawn.bars("Connections set up, used and closed, per second", Row.CONNECT, Metric.CONNECTIONS),
                drawn.bars("The same by 8 threads", Row.CONNECT_THREADS, Metric.CONNECTIONS),
                drawn.bars("First connection of a JVM, ms", Row.START_UP, Metric.FIRST_CONNECT),
                drawn.bars("16 streams of 64 KB at a time, GB/s in all", Row.PAIRS_16, Metric.GIGABYTES),
                drawn.bars("128 streams of 64 KB at a time, GB/s in all", Row.PAIRS_128, Metric.GIGABYTES));
    }
}
