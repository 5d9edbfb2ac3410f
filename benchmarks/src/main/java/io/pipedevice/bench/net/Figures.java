// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The measured figures, and the figures that could not be measured. Used by one thread. */
final class Figures {
    private record Cell(Row row, NetTransport transport) {}

    private final Map<Cell, Map<Metric, List<Double>>> measured = new HashMap<>();
    private final Map<Cell, String> failures = new LinkedHashMap<>();
    private final Map<NetTransport, String> unavailable = new EnumMap<>(NetTransport.class);

    void add(Row row, NetTransport transport, Map<Metric, Double> figures) {
        Map<Metric, List<Double>> all =
                measured.computeIfAbsent(new Cell(row, transport), cell -> new EnumMap<>(Metric.class));
        figures.forEach((metric, value) ->
                all.computeIfAbsent(metric, any -> new ArrayList<>()).add(value));
    }

    /** Adds the cache line's time just before a row was measured; NaN if it is unknown. */
    void addCacheLine(Row row, NetTransport transport, double nanos) {
        if (!Double.isNaN(nanos)) {
            add(row, transport, Map.of(Metric.CACHE_LINE, nanos));
        }
    }

    /** Records a failed run of a row. The figures of such a row would be meaningless. */
    void fail(Row row, NetTransport transport, String reason) {
        failures.putIfAbsent(new Cell(row, transport), reason);
    }

    void unavailable(NetTransport transport, String reason) {
        unavailable.putIfAbsent(transport, reason);
    }

    boolean isAvailable(NetTransport transport) {
        return !unavailable.containsKey(transport);
    }

    boolean hasFailures() {
        return !failures.isEmpty();
    }

    /** The median over the runs; empty if there was none, or one of them failed. */
    OptionalDouble median(Row row, NetTransport transport, Metric metric) {
        double[] sorted = sorted(row, transport, metric);
        int middle = sorted.length / 2;
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
    }

    /** The smallest and the largest of all runs; empty if there was none. */
    List<Double> range(Row row, NetTransport transport, Metric metric) {
        double[] sorted = sorted(row, transport, metric);
        return sorted.length == 0 ? List.of() : List.of(sorted[0], sorted[sorted.length - 1]);
    }

    /** The spread of the runs: the largest minus the smallest, relative to the median; 0 for one run. */
    double spread(Row row, NetTransport transport, Metric metric) {
        double[] sorted = sorted(row, transport, metric);
        double median = median(row, transport, metric).orElse(0);
        return median == 0 ? 0 : (sorted[sorted.length - 1] - sorted[0]) / median;
    }

    /** The ratio to TCP in each run, in the order of the runs; empty if one of the two has no figures. */
    List<Double> ratiosToTcp(Row row, Metric metric) {
        List<Double> own = inOrder(row, NetTransport.PIPEDEVICE, metric);
        List<Double> tcp = inOrder(row, NetTransport.TCP, metric);
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(own.size(), tcp.size()); i++) {
            ratios.add(own.get(i) / tcp.get(i));
        }
        return ratios;
    }

    private double[] sorted(Row row, NetTransport transport, Metric metric) {
        double[] sorted = inOrder(row, transport, metric).stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
        Arrays.sort(sorted);
        return sorted;
    }

    private List<Double> inOrder(Row row, NetTransport transport, Metric metric) {
        Cell cell = new Cell(row, transport);
        return failures.containsKey(cell)
                ? List.of()
                : measured.getOrDefault(cell, Map.of()).getOrDefault(metric, List.of());
    }

    /** One line for each figure that was not measured, with the reason. */
    List<String> gaps() {
        List<String> lines = new ArrayList<>();
        unavailable.forEach((transport, reason) -> lines.add(transport.title() + ": " + reason));
        failures.forEach((cell, reason) ->
                lines.add(cell.transport().title() + ", " + cell.row().title() + ": FAILED: " + reason));
        return lines;
    }
}
