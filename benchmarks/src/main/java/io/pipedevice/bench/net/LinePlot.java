// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Curves over the size of messages, both axes logarithmic, as SVG.
 *
 * @param title above it
 * @param unit of the figures
 * @param sizes of messages, in bytes, from small to large
 * @param curves with a figure for each size, NaN for a missing one
 */
public record LinePlot(String title, String unit, List<Integer> sizes, List<Curve> curves) {
    private static final int WIDTH = 680;
    private static final int LEFT = 62;
    private static final int TOP = 34;
    private static final int PLOT_WIDTH = WIDTH - LEFT - 20;
    private static final int PLOT_HEIGHT = 300;
    private static final int LEGEND_LINE = 20;
    private static final int LEGEND_COLUMNS = 2;

    /**
     * The curve of one transport.
     *
     * @param name for the legend
     * @param colour of the curve
     * @param figures one for each size
     */
    public record Curve(String name, String colour, List<Double> figures) {
        boolean isEmpty() {
            return figures.stream().noneMatch(figure -> figure > 0);
        }
    }

    /**
     * The plot.
     *
     * @return SVG, or an empty string if there is no figure to show
     */
    public String svg() {
        List<Curve> shown = curves.stream().filter(curve -> !curve.isEmpty()).toList();
        if (shown.isEmpty()) {
            return "";
        }
        double low = Double.MAX_VALUE;
        double high = 0;
        for (Curve curve : shown) {
            for (double figure : curve.figures()) {
                if (figure > 0) {
                    low = Math.min(low, figure);
                    high = Math.max(high, figure);
                }
            }
        }
        int first = (int) Math.floor(Math.log10(low));
        int last = Math.max(first + 1, (int) Math.ceil(Math.log10(high)));
        int rows = (shown.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
        int height = TOP + PLOT_HEIGHT + 44 + rows * LEGEND_LINE;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\"><title>%s</title>%n",
                WIDTH,
                height,
                WIDTH,
                height,
                Html.escape(title)));
        text(svg, LEFT, 18, "start", "title", title + ", " + unit);
        for (int decade = first; decade <= last; decade++) {
            double y = y(Math.pow(10, decade), first, last);
            line(svg, LEFT, y, LEFT + PLOT_WIDTH, y);
            text(
                    svg,
                    LEFT - 8,
                    y + 4,
                    "end",
                    "tick",
                    decade < 0 ? "0." + "0".repeat(-decade - 1) + "1" : "1" + "0".repeat(decade));
        }
        for (int size : sizes) {
            line(svg, x(size), TOP, x(size), TOP + PLOT_HEIGHT);
            text(svg, x(size), TOP + PLOT_HEIGHT + 18, "middle", "tick", Numbers.size(size));
        }
        for (int i = 0; i < shown.size(); i++) {
            curve(svg, shown.get(i), first, last);
            legend(svg, shown.get(i), i);
        }
        return svg.append("</svg>\n").toString();
    }

    private void curve(StringBuilder svg, Curve curve, int first, int last) {
        List<String> points = new ArrayList<>();
        StringBuilder marks = new StringBuilder();
        for (int i = 0; i < sizes.size(); i++) {
            double figure = curve.figures().get(i);
            if (figure > 0) {
                double x = x(sizes.get(i));
                double y = y(figure, first, last);
                points.add(String.format(Locale.ROOT, "%.1f,%.1f", x, y));
                marks.append(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"><title>%s, %s: %s %s</title></circle>%n",
                        x,
                        y,
                        curve.colour(),
                        Html.escape(curve.name()),
                        Numbers.size(sizes.get(i)),
                        Numbers.significant(figure),
                        Html.escape(unit)));
            }
        }
        svg.append(String.format(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                String.join(" ", points), curve.colour()));
        svg.append(marks);
    }

    private static void legend(StringBuilder svg, Curve curve, int index) {
        int x = LEFT + index % LEGEND_COLUMNS * (PLOT_WIDTH / LEGEND_COLUMNS);
        int y = TOP + PLOT_HEIGHT + 46 + index / LEGEND_COLUMNS * LEGEND_LINE;
        svg.append(String.format(
                "<rect x=\"%d\" y=\"%d\" width=\"18\" height=\"4\" fill=\"%s\"/>%n", x, y - 6, curve.colour()));
        text(svg, x + 26, y, "start", "tick", curve.name());
    }

    private double x(int size) {
        double first = Math.log(sizes.get(0));
        double last = Math.log(sizes.get(sizes.size() - 1));
        double part = last == first ? 0.5 : (Math.log(size) - first) / (last - first);
        return LEFT + 14 + part * (PLOT_WIDTH - 28);
    }

    private static double y(double figure, int first, int last) {
        return TOP + PLOT_HEIGHT * (1 - (Math.log10(figure) - first) / (last - first));
    }

    private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>%n",
                x1,
                y1,
                x2,
                y2));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String style, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>%n",
                x,
                y,
                anchor,
                style,
                Html.escape(text)));
    }
}
