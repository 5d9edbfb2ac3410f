// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Draws the chart of the README from the table "One way: GB/s" of a report. In the project's directory,
 * {@code java benchmarks/results/Chart.java} writes docs/images/net-light.svg and docs/images/net-dark.svg. Run it
 * after `bench net` has written a report that you want to commit.
 */
class Chart {
    private static final int WIDTH = 800;
    private static final int HEIGHT = 400;
    private static final int LEFT = 60;
    private static final int RIGHT = 590;
    private static final int TOP = 62;
    private static final int BOTTOM = 340;
    private static final int LABEL_DISTANCE = 20;

    /** Name of the row in net.txt, its label, and its colours on a light and on a dark page. */
    private record Line(String row, String label, String light, String dark) {}

    private static final List<Line> LINES = List.of(
            new Line("java.nio, PipeDevice", "java.nio on PipeDevice", "#0969da", "#4493f8"),
            new Line("Aeron IPC", "Aeron IPC", "#8250df", "#ab7df8"),
            new Line("java.nio, kernel TCP", "java.nio on kernel TCP", "#bc4c00", "#f0883e"),
            new Line("java.nio, Unix-domain sockets", "java.nio on Unix sockets", "#1a7f37", "#3fb950"));

    /** The position of a line's label. */
    private record Label(Line line, double wanted) {}

    public static void main(String[] arguments) throws IOException {
        List<String> report = Files.readAllLines(Path.of("benchmarks/results/net-2026-11-22.txt"));
        Files.writeString(Path.of("docs/images/net-light.svg"), svg(report, false));
        Files.writeString(Path.of("docs/images/net-dark.svg"), svg(report, true));
    }

    private static String svg(List<String> report, boolean dark) {
        int start = report.indexOf("One way: GB/s");
        List<String> sizes = List.of(report.get(start + 1).strip().split(" {2,}"));
        Map<String, String[]> rows = new LinkedHashMap<>();
        for (int i = start + 2; !report.get(i).isBlank(); i++) {
            String[] cells = report.get(i).split(" {2,}");
            rows.put(cells[0], cells);
        }
        StringBuilder svg = new StringBuilder("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="t">
                <title id="t">Throughput one way by the size of messages, in GB/s</title>
                <style>
                text { font-family: -apple-system, "Segoe UI", system-ui, "Helvetica Neue", Arial, sans-serif; font-size: 13px; fill: %s }
                .title { font-size: 16px; font-weight: 600 } .small { font-size: 12px; fill: %s } .grid { stroke: %s }
                polyline { fill: none; stroke-width: 2.5 }
                </style>
                """.formatted(
                        WIDTH,
                        HEIGHT,
                        WIDTH,
                        HEIGHT,
                        dark ? "#f0f6fc" : "#1f2328",
                        dark ? "#9198a1" : "#59636e",
                        dark ? "#3d444d" : "#d1d9e0"));
        text(svg, 10, 24, "start", "title", "Throughput one way, GB/s");
        text(svg, 10, 44, "start", "small", conditions(report));
        for (int decade = -2; decade <= 2; decade++) {
            grid(svg, LEFT, y(Math.pow(10, decade)), RIGHT, y(Math.pow(10, decade)));
            text(svg, LEFT - 8, y(Math.pow(10, decade)) + 4, "end", "small", decade < 0
                    ? "0." + "0".repeat(-decade - 1) + "1"
                    : "1" + "0".repeat(decade));
        }
        for (String size : sizes) {
            if (isSize(size)) {
                grid(svg, x(bytes(size)), TOP, x(bytes(size)), BOTTOM);
                text(svg, x(bytes(size)), BOTTOM + 18, "middle", "small", size);
            }
        }
        text(svg, (LEFT + RIGHT) / 2.0, BOTTOM + 40, "middle", "small", "size of each write (64 B: with TCP_NODELAY)");
        List<Label> labels = new ArrayList<>();
        for (Line line : LINES) {
            String[] cells = rows.get(line.row());
            StringBuilder points = new StringBuilder();
            StringBuilder marks = new StringBuilder();
            double last = 0;
            for (int i = 0; i < sizes.size(); i++) {
                if (isSize(sizes.get(i)) && !cells[i + 1].equals("-")) {
                    last = Double.parseDouble(cells[i + 1]);
                    points.append(format(" %.1f,%.1f", x(bytes(sizes.get(i))), y(last)));
                    marks.append(format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\">", x(bytes(sizes.get(i))),
                                    y(last), colour(line, dark)))
                            .append("<title>%s, %s: %s GB/s</title></circle>\n"
                                    .formatted(line.label(), sizes.get(i), cells[i + 1]));
                }
            }
            svg.append("<polyline points=\"%s\" stroke=\"%s\"/>\n".formatted(points.toString().strip(), colour(line, dark)))
                    .append(marks);
            labels.add(new Label(line, y(last)));
        }
        labels.sort(Comparator.comparingDouble(Label::wanted));
        double free = TOP;
        for (Label label : labels) {
            double at = Math.max(label.wanted(), free);
            svg.append(format("<text x=\"%d\" y=\"%.1f\" style=\"fill: %s\">%s</text>\n", RIGHT + 6, at + 4,
                    colour(label.line(), dark), label.line().label()));
            free = at + LABEL_DISTANCE;
        }
        return svg.append("</svg>\n").toString();
    }

    /** The line under the title, from the facts at the top of the report. */
    private static String conditions(List<String> report) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (String line : report.subList(0, report.indexOf(""))) {
            String[] pair = line.split(" +", 2);
            facts.put(pair[0], pair[1]);
        }
        return "%s; %s; TCP on the loopback of a namespace of its own; %s; medians"
                .formatted(facts.get("machine").replaceFirst(", [0-9]+ kB.*", ""), facts.get("kernel"), facts.get("date"));
    }

    /** Whether a column is a size, and not a variant of one. */
    private static boolean isSize(String column) {
        return column.matches("\\d+ (B|KB|MB)");
    }

    private static double bytes(String size) {
        String[] words = size.split(" ");
        return Double.parseDouble(words[0]) * Map.of("B", 1, "KB", 1 << 10, "MB", 1 << 20).get(words[1]);
    }

    private static double x(double bytes) {
        return LEFT + 14 + (RIGHT - LEFT - 28) * Math.log(bytes / 64) / Math.log((1 << 20) / 64.0);
    }

    private static double y(double gigabytes) {
        return BOTTOM - (BOTTOM - TOP) * (Math.log10(gigabytes) + 2) / 4;
    }

    private static String colour(Line line, boolean dark) {
        return dark ? line.dark() : line.light();
    }

    private static void grid(StringBuilder svg, double x1, double y1, double x2, double y2) {
        svg.append(format("<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x1, y1, x2, y2));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String style, String text) {
        svg.append(format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>\n", x, y, anchor, style, text));
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
