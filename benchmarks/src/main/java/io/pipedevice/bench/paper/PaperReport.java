// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.paper;

import io.pipedevice.bench.containers.BridgeRun;
import io.pipedevice.bench.net.Comparison;
import io.pipedevice.bench.net.FigurePlots;
import io.pipedevice.bench.net.Figures;
import io.pipedevice.bench.net.HtmlPage;
import io.pipedevice.bench.net.Line;
import io.pipedevice.bench.net.Metric;
import io.pipedevice.bench.net.Row;
import io.pipedevice.bench.net.Table;
import io.pipedevice.bench.net.TextPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Formats results as tables and plots, beside what the papers state. */
final class PaperReport implements BridgeRun.Report {
    private static final double NANOS_PER_MICRO = 1000;
    private static final String NONE = "-";

    private final Figures figures;
    private final Comparison comparison;

    PaperReport(Figures figures) {
        this.figures = figures;
        this.comparison = new Comparison(figures, PaperTransport.TCP, List.of(PaperTransport.values()));
    }

    @Override
    public String text(Map<String, String> facts) {
        return TextPage.text(facts, tables(), gaps());
    }

    @Override
    public String html(Map<String, String> facts) {
        return HtmlPage.html("The evaluation of the papers, measured here", facts, tables(), plots(), gaps());
    }

    @Override
    public String picture() {
        return GainPlot.svg(figures);
    }

    private List<String> gaps() {
        List<String> gaps = new ArrayList<>(figures.gaps());
        gaps.addAll(PaperFigures.leftOut());
        return gaps;
    }

    private List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        tables.add(summary());
        List<Line> all = new ArrayList<>();
        for (PaperFigure figure : PaperFigures.all()) {
            Table measured = comparison.ratiosBelow(
                    "Here: medians, and ratios to TCP over the bridge", figure.lines(), figure.base());
            if (!measured.rows().isEmpty()) {
                tables.add(stated(figure));
                tables.add(measured);
            }
            all.addAll(figure.lines());
        }
        tables.add(comparison.spread(all));
        tables.add(comparison.cacheLines(PaperCommand.ROWS));
        tables.removeIf(table -> table.rows().isEmpty());
        return tables;
    }

    private Table summary() {
        List<List<String>> rows = new ArrayList<>();
        for (PaperFigure figure : PaperFigures.all()) {
            for (Gain gain : figure.gains()) {
                Optional<Gain.Best> best = gain.best(figures);
                List<String> verdicts = new ArrayList<>();
                best.ifPresent(one -> verdicts.add(gain.verdict(one.value())));
                verdicts.addAll(gain.leftOut(figures));
                if (!verdicts.isEmpty()) {
                    rows.add(List.of(
                            figure.id() + ": " + gain.what(),
                            gain.stated(),
                            best.map(one -> gain.text(one.value())).orElse(NONE),
                            best.map(one -> one.transport().label()).orElse(NONE),
                            best.map(Gain.Best::base).orElse(NONE),
                            String.join("; ", verdicts)));
                }
            }
        }
        return new Table(
                "Summary: the papers' gains, and the best placement's here, beside the TCP or row that is named",
                List.of("", "paper", "here", "placement", "beside", ""),
                rows);
    }

    private static Table stated(PaperFigure figure) {
        List<List<String>> rows = new ArrayList<>();
        figure.stated().forEach(line -> rows.add(List.of(line)));
        figure.notes().forEach(line -> rows.add(List.of("note: " + line)));
        return new Table(figure.id() + ". " + figure.what(), List.of("Stated by the paper"), rows);
    }

    private List<String> plots() {
        FigurePlots drawn = new FigurePlots(figures, List.of(PaperTransport.values()));
        List<Row> roundTrips = List.of(Row.PING_PONG_64, Row.PING_PONG_8K);
        return List.of(
                picture(),
                drawn.curves("One way", "GB/s", PaperFigures.STREAMS, Metric.GIGABYTES, 1),
                drawn.curves("One way, CPU of the two programs", "s/GB", PaperFigures.STREAMS, Metric.CPU_PROGRAMS, 1),
                drawn.bars("64 KB at 1 GB/s: cores of programs and driver", Row.RATE, Metric.CORES),
                drawn.curves("There and back, mean", "us", roundTrips, Metric.MEAN, NANOS_PER_MICRO),
                drawn.curves("There and back, p99", "us", roundTrips, Metric.P99, NANOS_PER_MICRO),
                drawn.bars("4096 streams of 1 KB at a time, GB/s in all", Row.SCALE_4096, Metric.GIGABYTES),
                drawn.bars("512 streams of 64 KB at a time, Jain's index", Row.PAIRS_512, Metric.JAIN),
                drawn.bars("Memory of an idle connection, both ends, KB", Row.MEMORY, Metric.MEMORY),
                drawn.bars("Allreduce of 200 MB, 2 processes, GB/s", Row.ALLREDUCE_2, Metric.GIGABYTES),
                drawn.bars("Allreduce of 200 MB, 8 processes, GB/s", Row.ALLREDUCE_8, Metric.GIGABYTES),
                drawn.bars("Service chain, 10,000 requests, ms", Row.SERVICE_CHAIN, Metric.COMPLETION),
                drawn.bars("Service chain, cores", Row.SERVICE_CHAIN, Metric.CORES));
    }
}
