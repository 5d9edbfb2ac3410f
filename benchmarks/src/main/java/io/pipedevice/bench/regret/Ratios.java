// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The ratios of all turns, each of figures with the flag and without that were measured together. Used by one thread.
 */
final class Ratios {
    /** A row below this is marked. */
    static final double LEAST = 0.95;

    private final Map<Row, Map<Variant, List<Double>>> ratios = new EnumMap<>(Row.class);
    private final Map<Row, Map<Variant, String>> failures = new EnumMap<>(Row.class);

    /** Adds the figures of one turn. */
    void add(Row row, Map<Variant, Double> figures) {
        figures.forEach((variant, figure) -> {
            if (variant != Variant.WITHOUT) {
                ratios.computeIfAbsent(row, its -> new EnumMap<>(Variant.class))
                        .computeIfAbsent(variant, its -> new ArrayList<>())
                        .add(row.measure().ratio(figure, figures.get(Variant.WITHOUT)));
            }
        });
    }

    /** Notes that a row could not be measured, at least once. */
    void fail(Row row, String reason) {
        for (Variant variant : Variant.values()) {
            fail(row, variant, reason);
        }
    }

    /** Notes that the figures of one variant are not what the row says. */
    void fail(Row row, Variant variant, String reason) {
        failures.computeIfAbsent(row, its -> new EnumMap<>(Variant.class)).put(variant, reason);
    }

    /** What failed and why, a line for each row and reason. */
    List<String> failures() {
        List<String> lines = new ArrayList<>();
        failures.forEach((row, reasons) ->
                new LinkedHashSet<>(reasons.values()).forEach(reason -> lines.add(row.word() + ": " + reason)));
        return lines;
    }

    /** The ratios of a row in the order of the turns; none if it has no such variant, or failed. */
    List<Double> of(Row row, Variant variant) {
        Map<Variant, String> failed = failures.getOrDefault(row, Map.of());
        return failed.containsKey(variant) || failed.containsKey(Variant.WITHOUT)
                ? List.of()
                : ratios.getOrDefault(row, Map.of()).getOrDefault(variant, List.of());
    }

    boolean has(Row row, Variant variant) {
        return !of(row, variant).isEmpty();
    }

    /** The middle one, the mean of two. */
    double median(Row row, Variant variant) {
        List<Double> sorted = of(row, variant).stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    double least(Row row, Variant variant) {
        return Collections.min(of(row, variant));
    }

    double greatest(Row row, Variant variant) {
        return Collections.max(of(row, variant));
    }

    /** Whether a row is measured, and its median, to three digits as reports have it, says regret. */
    boolean isBelow(Row row, Variant variant) {
        return has(row, variant) && Math.round(median(row, variant) * 1000) < Math.round(LEAST * 1000);
    }
}
