// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Draws figures of several transports beside each other, as SVG. */
public final class FigurePlots {
    private final Figures figures;
    private final List<? extends NetTransport> transports;

    /**
     * Creates plots without content.
     *
     * @param figures to draw
     * @param transports in the order of the legend
     */
    public FigurePlots(Figures figures, List<? extends NetTransport> transports) {
        this.figures = figures;
        this.transports = transports;
    }

    /**
     * Draws a curve for each transport, over the message sizes of rows.
     *
     * @param title of the plot
     * @param unit of the values
     * @param rows by ascending size
     * @param metric the figure of each row
     * @param divisor of the figures
     * @return the SVG
     */
    public String curves(String title, String unit, List<Row> rows, Metric metric, double divisor) {
        List<LinePlot.Curve> curves = new ArrayList<>();
        for (NetTransport transport : transports) {
            List<Double> points = rows.stream()
                    .map(row -> figures.median(row, transport, metric).orElse(Double.NaN) / divisor)
                    .toList();
            curves.add(new LinePlot.Curve(transport.title(), transport.colour(), points));
        }
        return new LinePlot(title, unit, rows.stream().map(Row::size).toList(), curves).svg();
    }

    /**
     * Draws a bar for each transport that has the figure.
     *
     * @param title of the plot
     * @param row of the figure
     * @param metric the figure
     * @return the SVG
     */
    public String bars(String title, Row row, Metric metric) {
        List<BarPlot.Bar> bars = new ArrayList<>();
        for (NetTransport transport : transports) {
            OptionalDouble figure = figures.median(row, transport, metric);
            figure.ifPresent(value ->
                    bars.add(new BarPlot.Bar(transport.title(), transport.colour(), value, metric.text(figure))));
        }
        return new BarPlot(title, bars).svg();
    }
}
