// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import io.pipedevice.bench.net.Table;
import io.pipedevice.bench.net.TextPage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report as text and as a file of comma-separated values. */
final class RegretReport {
    private static final String BELOW = "BELOW";
    private static final List<Variant> COMPARED = List.of(Variant.KERNEL, Variant.RINGS);

    private final List<Row> rows;
    private final Ratios ratios;

    RegretReport(List<Row> rows, Ratios ratios) {
        this.rows = rows;
        this.ratios = ratios;
    }

    /** A cell of a table: a row in one of the two places of its connections. */
    private record Place(Row row, Variant variant) {}

    String text(Map<String, String> facts) {
        List<Table> tables = new ArrayList<>();
        tables.add(below());
        tables.add(all());
        return TextPage.text(facts, tables, ratios.failures());
    }

    /** The rows with regret, the worst first. */
    private Table below() {
        List<List<String>> lines = places().filter(place -> ratios.isBelow(place.row(), place.variant()))
                .sorted(Comparator.comparingDouble(place -> ratios.median(place.row(), place.variant())))
                .map(place -> {
                    List<String> line = new ArrayList<>(List.of(place.row().title(), place(place.variant())));
                    line.addAll(figures(place));
                    return line;
                })
                .toList();
        String title =
                lines.isEmpty() ? "No row is below " + Ratios.LEAST : "Below " + Ratios.LEAST + ", the worst first";
        return new Table(title, List.of("", "on", "ratio", "least", "most"), lines);
    }

    private Table all() {
        List<List<String>> lines = new ArrayList<>();
        for (Row row : rows) {
            List<String> line =
                    new ArrayList<>(List.of(row.title(), row.measure().title()));
            for (Variant variant : COMPARED) {
                line.addAll(ratios.has(row, variant) ? figures(new Place(row, variant)) : List.of("-", "-", "-"));
                line.add(ratios.isBelow(row, variant) ? BELOW : "");
            }
            lines.add(line);
        }
        return new Table(
                "All rows: 1.00 or more is no regret",
                List.of("", "of a", "kernel", "least", "most", "", "rings", "least", "most", ""),
                lines);
    }

    private Stream<Place> places() {
        return rows.stream().flatMap(row -> COMPARED.stream().map(variant -> new Place(row, variant)));
    }

    private List<String> figures(Place place) {
        return Stream.of(
                        ratios.median(place.row(), place.variant()),
                        ratios.least(place.row(), place.variant()),
                        ratios.greatest(place.row(), place.variant()))
                .map(RegretReport::digits)
                .toList();
    }

    /** Three digits, or more before the point. */
    private static String digits(double ratio) {
        return String.format(
                Locale.ROOT, ratio < 1 ? "%.3f" : ratio < 10 ? "%.2f" : ratio < 100 ? "%.1f" : "%.0f", ratio);
    }

    /** A line for each row and place, with the ratio of each turn. */
    String csv() {
        return places().filter(place -> ratios.has(place.row(), place.variant()))
                .map(this::csvLine)
                .collect(Collectors.joining("\n", "row,measure,place,ratio,least,most,verdict,turns\n", "\n"));
    }

    private String csvLine(Place place) {
        List<String> words = new ArrayList<>(
                List.of(place.row().word(), place.row().measure().title(), place(place.variant())));
        Stream.of(
                        ratios.median(place.row(), place.variant()),
                        ratios.least(place.row(), place.variant()),
                        ratios.greatest(place.row(), place.variant()))
                .forEach(ratio -> words.add(thousandths(ratio)));
        words.add(ratios.isBelow(place.row(), place.variant()) ? "below" : "");
        ratios.of(place.row(), place.variant()).forEach(ratio -> words.add(thousandths(ratio)));
        return String.join(",", words);
    }

    private static String thousandths(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }

    private static String place(Variant variant) {
        return variant.name().toLowerCase(Locale.ROOT);
    }
}
