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

    private static final String STYLE = """
            <style>
            body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 72em; padding: 0 1em; color: #222;
                   background: #fff }
            h1 { font-size: 1.5em } h2 { font-size: 1.05em; margin: 2em 0 .5em }
            table { border-collapse: collapse; font-variant-numeric: tabular-nums }
            th, td { padding: .2em .7em; border-bottom: 1px solid #ddd; text-align: right }
            th:first-child, td:first-child { text-align: left; padding-left: 0 }
            .plots { display: flex; flex-wrap: wrap; gap: 2em 1.5em; margin-top: 2em }
            svg { max-width: 100%; height: auto }
            .title { font: 600 15px system-ui, sans-serif; fill: #222 } .tick { font: 12px system-ui, sans-serif; fill: #444 }
            .grid { stroke: #ddd; stroke-width: 1 }
            </style>
            """;

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
        StringBuilder html = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">")
                .append("<title>PipeDevice beside other transports</title>\n")
                .append(STYLE)
                .append("</head>\n<body>\n<h1>PipeDevice beside other transports</h1>\n<table>\n");
        facts.forEach((name, value) -> html.append("<tr><td>")
                .append(Html.escape(name))
                .append("</td><td style=\"text-align: left\">")
                .append(Html.escape(value))
                .append("</td></tr>\n"));
        html.append("</table>\n");
        List<Table> tables = new NetReport(options, figures).tables();
        if (!tables.isEmpty()) {
            html.append(tables.get(0).html());
        }
        html.append("<div class=\"plots\">\n");
        plots().forEach(html::append);
        html.append("</div>\n");
        tables.stream().skip(1).forEach(table -> html.append(table.html()));
        List<String> gaps = figures.gaps();
        if (!gaps.isEmpty()) {
            html.append("<h2>Not measured</h2>\n<ul>\n");
            gaps.forEach(line -> html.append("<li>").append(Html.escape(line)).append("</li>\n"));
            html.append("</ul>\n");
        }
        return html.append("</body>\n</html>\n").toString();
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
