// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.List;
import java.util.Locale;

/** Draws what plots of curves have in common, as SVG: frame, grid, curves, legend. One thread, one plot. */
public final class CurveDrawing {
    /** Where the axis upwards is. */
    public static final int LEFT = 62;

    /** The upper end of the axis upwards. */
    public static final int TOP = 34;

    /** The length of the axis across. */
    public static final int PLOT_WIDTH = 598;

    /** The length of the axis upwards. */
    public static final int PLOT_HEIGHT = 300;

    private static final int WIDTH = LEFT + PLOT_WIDTH + 20;
    private static final int LEGEND_LINE = 20;

    private final StringBuilder svg = new StringBuilder();
    private final int legendTop;
    private final int legendColumns;

    /**
     * Begins a plot.
     *
     * @param title for readers that do not see it
     * @param heading above it
     * @param axisHeight of the text below the axis across
     * @param legendColumns of the legend
     * @param curves how many it has
     */
    public CurveDrawing(String title, String heading, int axisHeight, int legendColumns, int curves) {
        this.legendTop = TOP + PLOT_HEIGHT + axisHeight;
        this.legendColumns = legendColumns;
        int rows = (curves + legendColumns - 1) / legendColumns;
        int height = legendTop + rows * LEGEND_LINE;
        svg.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\"><title>%s</title>%n",
                WIDTH,
                height,
                WIDTH,
                height,
                Html.escape(title)));
        text(LEFT, 18, "start", "title", heading);
    }

    /**
     * Draws a line of the grid for a tick of the axis upwards.
     *
     * @param y of the tick
     * @param name of the tick
     */
    public void tickUpwards(double y, String name) {
        line(LEFT, y, LEFT + PLOT_WIDTH, y);
        text(LEFT - 8, y + 4, "end", "tick", name);
    }

    /**
     * Draws a line of the grid for a tick of the axis across.
     *
     * @param x of the tick
     * @param name of the tick
     */
    public void tickAcross(double x, String name) {
        line(x, TOP, x, TOP + PLOT_HEIGHT);
        text(x, TOP + PLOT_HEIGHT + 18, "middle", "tick", name);
    }

    /**
     * Names the axis across.
     *
     * @param name below its ticks
     */
    public void across(String name) {
        text(LEFT + PLOT_WIDTH / 2.0, TOP + PLOT_HEIGHT + 38, "middle", "tick", name);
    }

    /**
     * Draws a curve.
     *
     * @param colour of the curve
     * @param points of {@link #point}
     */
    public void curve(String colour, List<String> points) {
        svg.append(String.format(
                Locale.ROOT,
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                String.join(" ", points),
                colour));
    }

    /**
     * A point of a curve.
     *
     * @param x across
     * @param y downwards
     * @return both
     */
    public static String point(double x, double y) {
        return String.format(Locale.ROOT, "%.1f,%.1f", x, y);
    }

    /**
     * Draws what only one kind of plot has.
     *
     * @param elements of SVG
     */
    public void add(CharSequence elements) {
        svg.append(elements);
    }

    /**
     * Names a curve.
     *
     * @param index of the curve
     * @param colour of the curve
     * @param name of the curve
     */
    public void legend(int index, String colour, String name) {
        int x = LEFT + index % legendColumns * (PLOT_WIDTH / legendColumns);
        int y = legendTop + 2 + index / legendColumns * LEGEND_LINE;
        svg.append(String.format(
                Locale.ROOT, "<rect x=\"%d\" y=\"%d\" width=\"18\" height=\"4\" fill=\"%s\"/>%n", x, y - 6, colour));
        text(x + 26, y, "start", "tick", name);
    }

    /**
     * Ends the plot.
     *
     * @return SVG
     */
    public String end() {
        return svg.append("</svg>\n").toString();
    }

    private void line(double x1, double y1, double x2, double y2) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>%n",
                x1,
                y1,
                x2,
                y2));
    }

    private void text(double x, double y, String anchor, String style, String text) {
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
