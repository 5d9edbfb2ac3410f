// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.containers;

import io.pipedevice.bench.net.Comparison;
import io.pipedevice.bench.net.FigurePlots;
import io.pipedevice.bench.net.Figures;
import io.pipedevice.bench.net.HtmlPage;
import io.pipedevice.bench.net.Line;
import io.pipedevice.bench.net.Metric;
import io.pipedevice.bench.net.Numbers;
import io.pipedevice.bench.net.Row;
import io.pipedevice.bench.net.Table;
import io.pipedevice.bench.net.TextPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Formats results as tables and plots. */
final class ContainerReport implements BridgeRun.Report {
    private static final double NANOS_PER_MICRO = 1000;
    private static final String NONE = "-";

    private final Figures figures;
    private final Comparison comparison;

    ContainerReport(Figures figures) {
        this.figures = figures;
        this.comparison = new Comparison(figures, ContainerTransport.TCP, List.of(ContainerTransport.values()));
    }

    @Override
    public String text(Map<String, String> facts) {
        return TextPage.text(facts, tables(), figures.gaps());
    }

    @Override
    public String html(Map<String, String> facts) {
        return HtmlPage.html("PipeDevice between containers", facts, tables(), plots(), figures.gaps());
    }

    /** All tables that are not empty. */
    List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        tables.add(comparison.ratiosBeside("One way, and there and back: medians, and ratios to TCP", Lines.traffic()));
        tables.add(comparison.ratiosBeside("Connections: medians, and ratios to TCP", Lines.connections()));
        tables.add(
                comparison.ratiosBeside("Programs of the samples: medians, and ratios to TCP", Lines.applications()));
        tables.add(comparison.ratiosBeside(
                "Processor time of one way, s/GB: medians, and ratios to TCP", Lines.processorTime()));
        tables.add(notAccelerated());
        tables.add(spread());
        tables.add(comparison.cacheLines(ContainersCommand.ROWS));
        tables.removeIf(table -> table.rows().isEmpty());
        return tables;
    }

    private Table notAccelerated() {
        List<List<String>> rows = new ArrayList<>();
        for (Line line : Lines.notAccelerated()) {
            OptionalDouble tcp = figures.median(line.row(), ContainerTransport.TCP, line.metric());
            OptionalDouble own = figures.median(line.row(), ContainerTransport.DIRECT, line.metric());
            Metric slow = Metric.CONNECT_P99;
            Comparison.addUnlessEmpty(
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

    private Table spread() {
        List<Line> lines = new ArrayList<>(Lines.traffic());
        lines.addAll(Lines.applications());
        lines.addAll(Lines.connections());
        lines.addAll(Lines.notAccelerated());
        return comparison.spread(lines);
    }

    private List<String> plots() {
        FigurePlots drawn = new FigurePlots(figures, List.of(ContainerTransport.values()));
        return List.of(
                drawn.curves("One way", "GB/s", Lines.streams(), Metric.GIGABYTES, 1),
                drawn.curves("One way, CPU of the two programs", "s/GB", Lines.streams(), Metric.CPU_PROGRAMS, 1),
                drawn.curves(
                        "There and back, blocking, p50", "us", Lines.roundTrips(false), Metric.P50, NANOS_PER_MICRO),
                drawn.curves(
                        "There and back, selectors, p50", "us", Lines.roundTrips(true), Metric.P50, NANOS_PER_MICRO),
                drawn.bars("Connections set up, used and closed, per second", Row.CONNECT, Metric.CONNECTIONS),
                drawn.bars("The same by 8 threads", Row.CONNECT_THREADS, Metric.CONNECTIONS),
                drawn.bars("First connection of a JVM, ms", Row.START_UP, Metric.FIRST_CONNECT),
                drawn.bars("16 streams of 64 KB at a time, GB/s in all", Row.PAIRS_16, Metric.GIGABYTES),
                drawn.bars("128 streams of 64 KB at a time, GB/s in all", Row.PAIRS_128, Metric.GIGABYTES));
    }
}
