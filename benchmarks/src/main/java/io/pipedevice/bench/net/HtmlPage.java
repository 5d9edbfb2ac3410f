// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.List;
import java.util.Map;

/** A report as one self-contained page. */
public final class HtmlPage {
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

    private HtmlPage() {}

    /**
     * The page.
     *
     * @param title of it
     * @param facts of the machine, name and value
     * @param tables the first one above the plots, the others below
     * @param plots as SVG
     * @param gaps what was not measured, a line for each
     * @return HTML
     */
    public static String html(
            String title, Map<String, String> facts, List<Table> tables, List<String> plots, List<String> gaps) {
        StringBuilder html = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">")
                .append("<title>")
                .append(Html.escape(title))
                .append("</title>\n")
                .append(STYLE)
                .append("</head>\n<body>\n<h1>")
                .append(Html.escape(title))
                .append("</h1>\n<table>\n");
        facts.forEach((name, value) -> html.append("<tr><td>")
                .append(Html.escape(name))
                .append("</td><td style=\"text-align: left\">")
                .append(Html.escape(value))
                .append("</td></tr>\n"));
        html.append("</table>\n");
        tables.stream().limit(1).forEach(table -> html.append(table.html()));
        html.append("<div class=\"plots\">\n");
        plots.forEach(html::append);
        html.append("</div>\n");
        tables.stream().skip(1).forEach(table -> html.append(table.html()));
        if (!gaps.isEmpty()) {
            html.append("<h2>Not measured</h2>\n<ul>\n");
            gaps.forEach(line -> html.append("<li>").append(Html.escape(line)).append("</li>\n"));
            html.append("</ul>\n");
        }
        return html.append("</body>\n</html>\n").toString();
    }
}
