// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.ArrayList;
import java.util.List;

/**
 * A table, for text and for HTML.
 *
 * @param title above it
 * @param head of the columns; the first names the rows
 * @param rows each with as many cells as the head
 */
public record Table(String title, List<String> head, List<List<String>> rows) {
    private static final String GAP = "  ";

    /**
     * Formats columns of equal width, the first aligned to the left and the others to the right.
     *
     * @return lines
     */
    public String text() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(head);
        lines.addAll(rows);
        StringBuilder text = new StringBuilder(title).append('\n');
        for (List<String> line : lines) {
            StringBuilder padded = new StringBuilder();
            for (int column = 0; column < line.size(); column++) {
                int width = width(lines, column);
                String cell = line.get(column);
                String padding = " ".repeat(width - cell.length());
                padded.append(column == 0 ? cell + padding : GAP + padding + cell);
            }
            text.append(padded.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int width(List<List<String>> lines, int column) {
        return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
    }

    String html() {
        StringBuilder html = new StringBuilder("<h2>" + Html.escape(title) + "</h2>\n<table>\n<tr>");
        head.forEach(cell -> html.append("<th>").append(Html.escape(cell)).append("</th>"));
        html.append("</tr>\n");
        for (List<String> row : rows) {
            html.append("<tr>");
            row.forEach(cell -> html.append("<td>").append(Html.escape(cell)).append("</td>"));
            html.append("</tr>\n");
        }
        return html.append("</table>\n").toString();
    }
}
