// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

/** Finds lines in the text of a report. */
public final class ReportLines {
    private ReportLines() {}

    /**
     * The first line that begins with {@code begin} after a title, with single spaces; the whole report if there is
     * none.
     */
    public static String line(String report, String title, String begin) {
        int from = Math.max(0, report.indexOf(title));
        return report.substring(from)
                .lines()
                .map(line -> line.strip().replaceAll(" +", " "))
                .filter(line -> line.startsWith(begin))
                .findFirst()
                .orElse(report);
    }
}
