// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A report as text. */
public final class TextPage {
    private TextPage() {}

    /**
     * The report.
     *
     * @param facts of the machine, name and value
     * @param tables in their order
     * @param gaps what was not measured, a line for each
     * @return lines
     */
    public static String text(Map<String, String> facts, List<Table> tables, List<String> gaps) {
        StringBuilder text = new StringBuilder();
        facts.forEach((name, value) -> text.append(String.format(Locale.ROOT, "%-12s%s%n", name, value)));
        for (Table table : tables) {
            text.append('\n').append(table.text());
        }
        if (!gaps.isEmpty()) {
            text.append("\nNot measured\n");
            gaps.forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }
}
