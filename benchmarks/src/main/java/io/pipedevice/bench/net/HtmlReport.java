// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

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
        List<Row> streams = options.rows().stream()
                .filter(row -> row.isStream() && row != Row.STREAM_64_GATHERED)
                .sorted(Comparator.comparingInt(Row::size))
                .toList();
        List<Row> pingPongs = options.rows().stream()
                .filter(row -> row.isPingPong() && row != Row.PING_PONG_SELECTOR && row != Row.PING_PONG_NO_SPIN)
                .sorted(Comparator.comparingInt(Row::size))
                .toList();
        List<String> plots = new ArrayList<>();
        plots.add(curves("One way", "GB/s", streams, Metric.GIGABYTES, 1));
        plots.add(curves("One way, CPU of all processes", "s/GB", streams, Metric.CPU, 1));
        plots.add(curves("There and back, blocking, p50", "us", pingPongs, Metric.P50, NANOS_TO_MICROS));
        plots.add(curves("There and back, blocking, p99.9", "us", pingPongs, Metric.P999, NANOS_TO_MICROS));
        plots.add(bars("64 B there and back, selectors or event loops, p50, us", Row.PING_PONG_SELECTOR, Metric.P50));
        plots.add(bars("64 B there and back, no spinning, p50, us", Row.PING_PONG_NO_SPIN, Metric.P50));
        plots.add(bars("Connections set up, used and closed, per second", Row.CONNECT, Metric.CONNECTIONS));
        plots.add(bars("Echoes/s on 8 of " + options.few() + " connections", Row.BUSY, Metric.ECHOES_FEW));
        plots.add(bars("Echoes/s on 8 of " + options.many() + " connections", Row.BUSY, Metric.ECHOES_MANY));
        for (Row row : List.of(Row.ROTATING_FEW, Row.ROTATING_MANY)) {
            int connections = row == Row.ROTATING_FEW ? options.few() : options.many();
            plots.add(bars("Echoes/s, the next on the next of " + connections + " connections", row, Metric.ECHOES));
        }
        plots.add(bars(
                "Echoes/s of " + options.processes() + " processes, one connection each",
                Row.PROCESSES,
                Metric.ECHOES));
        plots.add(bars("Connections made in a JVM's first 3 s", Row.FIRST_SECONDS, Metric.FIRST_SECONDS));
        plots.add(bars("CPU of a JVM that connects once, ms", Row.START_UP, Metric.CPU_CONNECT));
        plots.add(bars("Memory of an idle connection, both ends, KB", Row.MEMORY, Metric.MEMORY));
        plots.add(
                bars("CPU with " + options.idle() + " idle connections, % of a processor", Row.IDLE, Metric.IDLE_CPU));
        return plots;
    }

    private String curves(String title, String unit, List<Row> rows, Metric metric, double divisor) {
        List<LinePlot.Curve> curves = new ArrayList<>();
        for (NetTransport transport : options.transports()) {
            List<Double> points = rows.stream()
                    .map(row -> figures.median(row, transport, metric).orElse(Double.NaN) / divisor)
                    .toList();
            curves.add(new LinePlot.Curve(transport.title(), transport.colour(), points));
        }
        return new LinePlot(title, unit, rows.stream().map(Row::size).toList(), curves).svg();
    }

    private String bars(String title, Row row, Metric metric) {
        List<BarPlot.Bar> bars = new ArrayList<>();
        for (NetTransport transport : options.transports()) {
            OptionalDouble figure = figures.median(row, transport, metric);
            figure.ifPresent(value ->
                    bars.add(new BarPlot.Bar(transport.title(), transport.colour(), value, metric.text(figure))));
        }
        return new BarPlot(title, bars).svg();
    }
}
