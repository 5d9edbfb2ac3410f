// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.paper;

import io.pipedevice.bench.net.Figures;
import io.pipedevice.bench.net.Html;
import io.pipedevice.bench.net.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The gains that papers state as a ratio, each with the one here below it, as one picture on a logarithmic axis. */
final class GainPlot {
    private static final int WIDTH = 820;
    private static final int LEFT = 330;
    private static final int RIGHT = 60;
    private static final int TOP = 62;
    private static final int BAR = 13;
    private static final int STEP = 40;
    private static final String PAPER = "#8c959f";
    private static final String HERE = "#d55e00";

    private record Pair(String what, double paper, double here, String placement) {}

    private final List<Pair> pairs = new ArrayList<>();
    private final StringBuilder svg = new StringBuilder();
    private double low = 1;
    private double high = 10;

    private GainPlot(Figures figures) {
        for (PaperFigure figure : PaperFigures.all()) {
            for (Gain gain : figure.gains()) {
                Optional<Gain.Best> best = gain.best(figures);
                if (gain.isRatio() && gain.wanted() > 0 && best.isPresent()) {
                    Pair pair = new Pair(
                            gain.what(),
                            gain.wanted(),
                            best.get().value(),
                            best.get().transport().label());
                    low = Math.min(low, Math.min(pair.paper, pair.here));
                    high = Math.max(high, Math.max(pair.paper, pair.here));
                    pairs.add(pair);
                }
            }
        }
    }

    /** The picture as SVG that needs no page around it; empty if there is no gain. */
    static String svg(Figures figures) {
        GainPlot plot = new GainPlot(figures);
        return plot.pairs.isEmpty() ? "" : plot.draw();
    }

    private String draw() {
        int height = TOP + pairs.size() * STEP + 10;
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
                        + " font-family=\"system-ui, sans-serif\"><title>Gains of the papers, and here</title>%n"
                        + "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>%n",
                WIDTH,
                height,
                WIDTH,
                height,
                WIDTH,
                height));
        text(0, 18, "start", 15, "Gains of the papers, and of the best placement here (times, logarithmic)");
        legend(LEFT, PAPER, "paper");
        legend(LEFT + 90, HERE, "here");
        for (double tick = Math.pow(10, Math.floor(Math.log10(low))); tick <= high; tick *= 10) {
            if (tick >= low) {
                line(x(tick), height - 8);
                text(x(tick), TOP - 6, "middle", 11, Numbers.significant(tick));
            }
        }
        int y = TOP;
        for (Pair pair : pairs) {
            text(LEFT - 10, y + BAR + 4, "end", 12, pair.what);
            bar(y, pair.paper, PAPER, "");
            bar(y + BAR + 2, pair.here, HERE, " " + pair.placement);
            y += STEP;
        }
        return svg.append("</svg>\n").toString();
    }

    private void legend(double x, String colour, String name) {
        svg.append(String.format(
                Locale.ROOT, "<rect x=\"%.0f\" y=\"30\" width=\"12\" height=\"12\" fill=\"%s\"/>%n", x, colour));
        text(x + 18, 40, "start", 12, name);
    }

    private void bar(int y, double gain, String colour, String after) {
        double from = Math.min(x(1), x(gain));
        double length = Math.max(1, Math.abs(x(gain) - x(1)));
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                from,
                y,
                length,
                BAR,
                colour));
        text(from + length + 5, y + 11, "start", 11, Numbers.significant(gain) + after);
    }

    private double x(double gain) {
        double part = (Math.log10(gain) - Math.log10(low)) / (Math.log10(high) - Math.log10(low));
        return LEFT + part * (WIDTH - LEFT - RIGHT - 40);
    }

    private void line(double x, int bottom) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#d0d7de\"/>%n",
                x,
                TOP - 2,
                x,
                bottom));
    }

    private void text(double x, double y, String anchor, int size, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"#1f2328\">%s</text>%n",
                x,
                y,
                anchor,
                size,
                Html.escape(text)));
    }
}
