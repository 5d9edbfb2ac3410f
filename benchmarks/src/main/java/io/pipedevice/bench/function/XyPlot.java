// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.bench.net.Html;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Curves through points, as SVG. The axis across is linear from 0, that upwards logarithmic or linear from 0.
 *
 * @param title above it
 * @param across what the axis across has, with the unit
 * @param upwards what the axis upwards has, with the unit
 * @param isLogarithmic whether the axis upwards is
 * @param curves to draw
 */
record XyPlot(String title, String across, String upwards, boolean isLogarithmic, List<Curve> curves) {
    private static final int WIDTH = 680;
    private static final int LEFT = 62;
    private static final int TOP = 34;
    private static final int PLOT_WIDTH = WIDTH - LEFT - 20;
    private static final int PLOT_HEIGHT = 300;
    private static final int LEGEND_LINE = 20;
    private static final int LEGEND_COLUMNS = 3;
    private static final int MOST_TICKS = 6;

    /**
     * Points of one colour.
     *
     * @param name for the legend
     * @param colour of the curve
     * @param points from left to right
     */
    record Curve(String name, String colour, List<Point> points) {}

    /**
     * A point.
     *
     * @param x across
     * @param y upwards
     */
    record Point(double x, double y) {}

    /** The plot; an empty string if there is nothing to show. */
    String svg() {
        List<Curve> shown =
                curves.stream().filter(curve -> !curve.points().isEmpty()).toList();
        if (shown.isEmpty()) {
            return "";
        }
        double right = most(shown, true);
        double top = most(shown, false);
        double low = isLogarithmic ? least(shown) : 0;
        int rows = (shown.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
        int height = TOP + PLOT_HEIGHT + 62 + rows * LEGEND_LINE;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\"><title>%s</title>%n",
                WIDTH,
                height,
                WIDTH,
                height,
                Html.escape(title)));
        text(svg, LEFT, 18, "start", "title", title + ": " + upwards);
        for (double tick : isLogarithmic ? decades(low, top) : steps(top)) {
            double y = y(tick, low, top);
            line(svg, LEFT, y, LEFT + PLOT_WIDTH, y);
            text(svg, LEFT - 8, y + 4, "end", "tick", number(tick));
        }
        for (double tick : steps(right)) {
            double x = x(tick, right);
            line(svg, x, TOP, x, TOP + PLOT_HEIGHT);
            text(svg, x, TOP + PLOT_HEIGHT + 18, "middle", "tick", number(tick));
        }
        text(svg, LEFT + PLOT_WIDTH / 2.0, TOP + PLOT_HEIGHT + 38, "middle", "tick", across);
        for (int i = 0; i < shown.size(); i++) {
            curve(svg, shown.get(i), right, low, top);
            legend(svg, shown.get(i), i);
        }
        return svg.append("</svg>\n").toString();
    }

    private static double most(List<Curve> curves, boolean isAcross) {
        double most = curves.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(point -> isAcross ? point.x() : point.y())
                .max()
                .orElse(1);
        return most > 0 ? most : 1;
    }

    /** The lower end of a logarithmic axis: a power of ten. */
    private static double least(List<Curve> curves) {
        double least = curves.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(Point::y)
                .filter(y -> y > 0)
                .min()
                .orElse(1);
        return Math.pow(10, Math.floor(Math.log10(least)));
    }

    private static List<Double> decades(double low, double top) {
        List<Double> ticks = new ArrayList<>();
        for (double tick = low; tick <= top * 1.0001; tick *= 10) {
            ticks.add(tick);
        }
        return ticks;
    }

    private static List<Double> steps(double most) {
        double step = Math.pow(10, Math.floor(Math.log10(most)));
        for (double divisor : new double[] {5, 2}) {
            if (most / (step / divisor) <= MOST_TICKS) {
                step /= divisor;
                break;
            }
        }
        List<Double> ticks = new ArrayList<>();
        for (int i = 0; i * step <= most * 1.0001; i++) {
            ticks.add(i * step);
        }
        return ticks;
    }

    private static String number(double tick) {
        String text = String.format(Locale.ROOT, "%.6f", tick);
        return text.replaceAll("0+$", "").replaceAll("\\.$", "");
    }

    private void curve(StringBuilder svg, Curve curve, double right, double low, double top) {
        List<String> points = new ArrayList<>();
        for (Point point : curve.points()) {
            points.add(String.format(Locale.ROOT, "%.1f,%.1f", x(point.x(), right), y(point.y(), low, top)));
        }
        svg.append(String.format(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                String.join(" ", points), curve.colour()));
    }

    private static void legend(StringBuilder svg, Curve curve, int index) {
        int x = LEFT + index % LEGEND_COLUMNS * (PLOT_WIDTH / LEGEND_COLUMNS);
        int y = TOP + PLOT_HEIGHT + 64 + index / LEGEND_COLUMNS * LEGEND_LINE;
        svg.append(String.format(
                "<rect x=\"%d\" y=\"%d\" width=\"18\" height=\"4\" fill=\"%s\"/>%n", x, y - 6, curve.colour()));
        text(svg, x + 26, y, "start", "tick", curve.name());
    }

    private static double x(double value, double right) {
        return LEFT + value / right * PLOT_WIDTH;
    }

    private double y(double value, double low, double top) {
        double part = isLogarithmic
                ? Math.log(Math.max(value, low) / low) / Math.log(Math.max(top, low * 10) / low)
                : value / top;
        return TOP + PLOT_HEIGHT * (1 - part);
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
