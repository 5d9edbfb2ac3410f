// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.bench.net.CurveDrawing;
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
        CurveDrawing drawing = new CurveDrawing(title, title + ": " + upwards, 62, LEGEND_COLUMNS, shown.size());
        for (double tick : isLogarithmic ? decades(low, top) : steps(top)) {
            drawing.tickUpwards(y(tick, low, top), number(tick));
        }
        for (double tick : steps(right)) {
            drawing.tickAcross(x(tick, right), number(tick));
        }
        drawing.across(across);
        for (int i = 0; i < shown.size(); i++) {
            Curve curve = shown.get(i);
            List<String> points = new ArrayList<>();
            for (Point point : curve.points()) {
                points.add(CurveDrawing.point(x(point.x(), right), y(point.y(), low, top)));
            }
            drawing.curve(curve.colour(), points);
            drawing.legend(i, curve.colour(), curve.name());
        }
        return drawing.end();
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

    private static double x(double value, double right) {
        return CurveDrawing.LEFT + value / right * CurveDrawing.PLOT_WIDTH;
    }

    private double y(double value, double low, double top) {
        double part = isLogarithmic
                ? Math.log(Math.max(value, low) / low) / Math.log(Math.max(top, low * 10) / low)
                : value / top;
        return CurveDrawing.TOP + CurveDrawing.PLOT_HEIGHT * (1 - part);
    }
}
