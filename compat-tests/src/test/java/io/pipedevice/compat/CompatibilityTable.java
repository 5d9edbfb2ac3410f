// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * The table of programs in docs/compatibility.md. Each test writes a row when its programs have measured themselves; the
 * text around the table stays as it is.
 */
final class CompatibilityTable {
    private static final Path FILE = Path.of("..", "docs", "compatibility.md");

    private static final Path CONGESTION_CONTROL = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

    /** The line above the first row, of no other table in the file. */
    private static final String RULE = "|---|---|---|---|---|---|---|---|---|---|";

    private CompatibilityTable() {}

    /**
     * The content of a row besides its figures.
     *
     * @param program names the row
     * @param version of the program
     * @param run a description of its test
     * @param unit of its rate
     * @param failing what does not work, or is not accelerated, and why
     */
    record Row(String program, String version, String run, String unit, String failing) {}

    static void write(Row row, String share, double rate, double tcpRate, Delay p99, Delay tcpP99) throws IOException {
        List<String> lines = Files.readAllLines(FILE);
        int begin = lines.indexOf(RULE) + 1;
        int end = begin;
        TreeMap<String, String> rows = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (; end < lines.size() && lines.get(end).startsWith("| "); end++) {
            String line = lines.get(end);
            rows.put(line.split(" \\| ", 2)[0].substring(2), line);
        }
        rows.put(
                row.program(),
                String.join(
                        " | ",
                        "| " + row.program(),
                        row.version(),
                        row.run(),
                        share,
                        rate(rate, row.unit()),
                        rate(tcpRate, row.unit()),
                        p99.toString(),
                        tcpP99.toString(),
                        LocalDate.now(ZoneOffset.UTC) + ", "
                                + Files.readString(CONGESTION_CONTROL).strip(),
                        row.failing() + " |"));
        List<String> all = new ArrayList<>(lines.subList(0, begin));
        all.addAll(rows.values());
        all.addAll(lines.subList(end, lines.size()));
        Files.write(FILE, all);
    }

    private static String rate(double rate, String unit) {
        return String.format(Locale.ROOT, "%,.0f %s", rate, unit);
    }
}
