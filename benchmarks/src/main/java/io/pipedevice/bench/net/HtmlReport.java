// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The report with plots, in one self-contained file. */
final class HtmlReport {
    private static final double NANOS_TO_MICROS = 1000;

    private final NetOptions options;
    private final Figures figures;

    HtmlReport(NetOptions options, Figures figures) {
        this.options = options;
        this.figures = figures;
    }

    /**
     * The page.
     *
     * @param facts of the machine, name and value
     */
    String html(Map<String, String> facts) {
        List<Table> tables = new NetReport(options, figures).tables();
        return HtmlPage.html("PipeDevice beside other transports", facts, tables, plots(), figures.gaps());
    }

    private List<String> plots() {
        FigurePlots drawn = new FigurePlots(figures, options.transports());
        List<Row> streams = options.rows().stream()
                .filter(row -> row.isStream() && row.isOfCurve())
                .sorted(Comparator.comparingInt(Row::size))
                .toList();
        List<Row> pingPongs = options.rows().stream()
                .filter(row -> row.isPingPong() && row.isOfCurve())
                .sorted(Comparator.comparingInt(Row::size))
                .toList();
        List<String> plots = new ArrayList<>();
        plots.add(drawn.curves("One way", "GB/s", streams, Metric.GIGABYTES, 1));
        plots.add(drawn.curves("One way, CPU of all processes", "s/GB", streams, Metric.CPU, 1));
        plots.add(drawn.curves("There and back, blocking, p50", "us", pingPongs, Metric.P50, NANOS_TO_MICROS));
        plots.add(drawn.curves("There and back, blocking, p99.9", "us", pingPongs, Metric.P999, NANOS_TO_MICROS));
        plots.add(drawn.bars(
                "64 B there and back, selectors or event loops, p50, us", Row.PING_PONG_SELECTOR, Metric.P50));
        plots.add(drawn.bars("64 B there and back, no spinning, p50, us", Row.PING_PONG_NO_SPIN, Metric.P50));
        plots.add(drawn.bars("Connections set up, used and closed, per second", Row.CONNECT, Metric.CONNECTIONS));
        plots.add(drawn.bars("Echoes/s on 8 of " + options.few() + " connections", Row.BUSY, Metric.ECHOES_FEW));
        plots.add(drawn.bars("Echoes/s on 8 of " + options.many() + " connections", Row.BUSY, Metric.ECHOES_MANY));
        for (Row row : List.of(Row.ROTATING_FEW, Row.ROTATING_MANY)) {
            int connections = row == Row.ROTATING_FEW ? options.few() : options.many();
            plots.add(drawn.bars(
                    "Echoes/s, the next on the next of " + connections + " connections", row, Metric.ECHOES));
        }
        plots.add(drawn.bars(
                "Echoes/s of " + options.processes() + " processes, one connection each",
                Row.PROCESSES,
                Metric.ECHOES));
        plots.add(drawn.bars("Connections made in a JVM's first 3 s", Row.FIRST_SECONDS, Metric.FIRST_SECONDS));
        plots.add(drawn.bars("CPU of a JVM that connects once, ms", Row.START_UP, Metric.CPU_CONNECT));
        plots.add(drawn.bars("Memory of an idle connection, both ends, KB", Row.MEMORY, Metric.MEMORY));
        plots.add(drawn.bars(
                "CPU with " + options.idle() + " idle connections, % of a processor", Row.IDLE, Metric.IDLE_CPU));
        return plots;
    }
}
