// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Tables of the figures of several transports beside those of a reference. A row without any figure is left out. */
public final class Comparison {
    private static final String NONE = "-";

    private final Figures figures;
    private final NetTransport reference;

    /** All of them, the reference too. */
    private final List<? extends NetTransport> transports;

    /**
     * Creates tables of figures.
     *
     * @param figures that were measured
     * @param reference to which ratios are
     * @param transports in the order of the columns; one of them is the reference
     */
    public Comparison(Figures figures, NetTransport reference, List<? extends NetTransport> transports) {
        this.figures = figures;
        this.reference = reference;
        this.transports = transports;
    }

    /**
     * Medians, each with the ratio to the reference beside it.
     *
     * @param title of the table
     * @param lines one row each
     * @return the table
     */
    public Table ratiosBeside(String title, List<Line> lines) {
        List<NetTransport> others = new ArrayList<>(transports);
        others.remove(reference);
        List<String> head = new ArrayList<>(List.of("", name(reference)));
        others.forEach(transport -> head.addAll(List.of(name(transport), "ratio")));
        List<List<String>> rows = new ArrayList<>();
        for (Line line : lines) {
            List<String> row =
                    new ArrayList<>(List.of(line.what(), line.metric().text(median(line, reference))));
            for (NetTransport transport : others) {
                OptionalDouble own = median(line, transport);
                row.add(line.metric().text(own));
                row.add(ratio(own, median(line, reference)));
            }
            addUnlessEmpty(rows, row);
        }
        return new Table(title, head, rows);
    }

    /**
     * Medians, each with the ratio to the reference below it; for many transports, of which those without any of the
     * figures are left out.
     *
     * @param title of the table
     * @param lines two rows each
     * @param base a row whose figures are 1 in a further row; empty for none
     * @return the table
     */
    public Table ratiosBelow(String title, List<Line> lines, Optional<Row> base) {
        List<? extends NetTransport> shown = transports.stream()
                .filter(transport ->
                        lines.stream().anyMatch(line -> median(line, transport).isPresent()))
                .toList();
        List<List<String>> rows = new ArrayList<>();
        for (Line line : lines) {
            addUnlessEmpty(
                    rows, row(line.what(), shown, transport -> line.metric().text(median(line, transport))));
            addUnlessEmpty(
                    rows,
                    row(
                            "   ratio",
                            shown,
                            transport -> transport.equals(reference)
                                    ? NONE
                                    : ratio(median(line, transport), median(line, reference))));
            base.ifPresent(one -> addUnlessEmpty(
                    rows,
                    row(
                            "   in parts of " + one.title(),
                            shown,
                            transport ->
                                    ratio(median(line, transport), figures.median(one, transport, line.metric())))));
        }
        return new Table(title, head(shown), rows);
    }

    /**
     * The spread of the runs behind each median.
     *
     * @param lines one row each
     * @return the table, without rows if there was one run
     */
    public Table spread(List<Line> lines) {
        List<List<String>> rows = new ArrayList<>();
        for (Line line : lines) {
            addUnlessEmpty(
                    rows, row(line.what(), transports, transport -> range(line.row(), transport, line.metric())));
        }
        return new Table("The runs: smallest to largest", head(transports), figures.runs() > 1 ? rows : List.of());
    }

    /**
     * The times of the cache line: how near the host had the processors to each other.
     *
     * @param measured rows before which it was measured
     * @return the table
     */
    public Table cacheLines(Collection<Row> measured) {
        List<List<String>> rows = new ArrayList<>();
        for (Row one : measured) {
            addUnlessEmpty(rows, row(one.title(), transports, transport -> range(one, transport, Metric.CACHE_LINE)));
        }
        return new Table(
                "What the machine gave just before: ns of a cache line from one processor to the other and back",
                head(transports),
                rows);
    }

    private static List<String> head(List<? extends NetTransport> transports) {
        List<String> head = new ArrayList<>(List.of(""));
        transports.forEach(transport -> head.add(name(transport)));
        return head;
    }

    private static List<String> row(
            String what, List<? extends NetTransport> transports, Function<NetTransport, String> cell) {
        List<String> row = new ArrayList<>(List.of(what));
        transports.forEach(transport -> row.add(cell.apply(transport)));
        return row;
    }

    private OptionalDouble median(Line line, NetTransport transport) {
        return figures.median(line.row(), transport, line.metric());
    }

    private String range(Row row, NetTransport transport, Metric metric) {
        List<Double> range = figures.range(row, transport, metric);
        return range.isEmpty()
                ? NONE
                : range.stream()
                        .map(value -> metric.text(OptionalDouble.of(value)))
                        .collect(Collectors.joining(" to "));
    }

    private static String name(NetTransport transport) {
        return transport.name().toLowerCase(Locale.ROOT);
    }

    private static String ratio(OptionalDouble own, OptionalDouble other) {
        OptionalDouble ratio = Figures.ratio(own, other);
        return ratio.isEmpty() ? NONE : Numbers.significant(ratio.getAsDouble()) + " x";
    }

    /**
     * Adds a row, unless it has nothing but its name.
     *
     * @param rows to which it is added
     * @param row with its name first
     */
    public static void addUnlessEmpty(List<List<String>> rows, List<String> row) {
        if (row.stream().skip(1).anyMatch(cell -> !cell.equals(NONE))) {
            rows.add(row);
        }
    }
}
