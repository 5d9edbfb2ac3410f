// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.List;
import java.util.Locale;

/**
 * One figure of several transports, as SVG.
 *
 * @param title above it, with the unit
 * @param bars from top to bottom
 */
public record BarPlot(String title, List<Bar> bars) {
    private static final int WIDTH = 680;
    private static final int LEFT = 230;
    private static final int LONGEST = WIDTH - LEFT - 90;
    private static final int TOP = 34;
    private static final int STEP = 26;

    /**
     * One figure.
     *
     * @param name beside the bar
     * @param colour of the bar
     * @param figure its length
     * @param text the figure as text
     */
    public record Bar(String name, String colour, double figure, String text) {}

    /**
     * The plot.
     *
     * @return SVG, or an empty string if there is no figure to show
     */
    public String svg() {
        double longest = bars.stream().mapToDouble(Bar::figure).max().orElse(0);
        if (longest <= 0) {
            return "";
        }
        int height = TOP + bars.size() * STEP + 6;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\"><title>%s</title>%n"
                        + "<text x=\"0\" y=\"18\" class=\"title\">%s</text>%n",
                WIDTH,
                height,
                WIDTH,
                height,
                Html.escape(title),
                Html.escape(title)));
        int y = TOP;
        for (Bar bar : bars) {
            double length = Math.max(1, bar.figure() / longest * LONGEST);
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" class=\"tick\">%s</text>"
                            + "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\" fill=\"%s\"/>"
                            + "<text x=\"%.1f\" y=\"%d\" class=\"tick\">%s</text>%n",
                    LEFT - 8,
                    y + 13,
                    Html.escape(bar.name()),
                    LEFT,
                    y,
                    length,
                    bar.colour(),
                    LEFT + length + 6,
                    y + 13,
                    Html.escape(bar.text())));
            y += STEP;
        }
        return svg.append("</svg>\n").toString();
    }
}
