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
        CurveDrawing drawing = new CurveDrawing(title, title + ", " + unit, 44, LEGEND_COLUMNS, shown.size());
        for (int decade = first; decade <= last; decade++) {
            String tick = decade < 0 ? "0." + "0".repeat(-decade - 1) + "1" : "1" + "0".repeat(decade);
            drawing.tickUpwards(y(Math.pow(10, decade), first, last), tick);
        }
        for (int size : sizes) {
            drawing.tickAcross(x(size), Numbers.size(size));
        }
        for (int i = 0; i < shown.size(); i++) {
            curve(drawing, shown.get(i), first, last);
            drawing.legend(i, shown.get(i).colour(), shown.get(i).name());
        }
        return drawing.end();
    }

    private void curve(CurveDrawing drawing, Curve curve, int first, int last) {
        List<String> points = new ArrayList<>();
        StringBuilder marks = new StringBuilder();
        for (int i = 0; i < sizes.size(); i++) {
            double figure = curve.figures().get(i);
            if (figure > 0) {
                double x = x(sizes.get(i));
                double y = y(figure, first, last);
                points.add(CurveDrawing.point(x, y));
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
        drawing.curve(curve.colour(), points);
        drawing.add(marks);
    }

    private double x(int size) {
        double first = Math.log(sizes.get(0));
        double last = Math.log(sizes.get(sizes.size() - 1));
        double part = last == first ? 0.5 : (Math.log(size) - first) / (last - first);
        return CurveDrawing.LEFT + 14 + part * (CurveDrawing.PLOT_WIDTH - 28);
    }

    private static double y(double figure, int first, int last) {
        return CurveDrawing.TOP + CurveDrawing.PLOT_HEIGHT * (1 - (Math.log10(figure) - first) / (last - first));
    }
}
