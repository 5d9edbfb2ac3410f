// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The measured figures, and the figures that could not be measured. Used by one thread. */
public final class Figures {
    private record Cell(Row row, NetTransport transport) {}

    private final Map<Cell, Map<Metric, List<Double>>> measured = new LinkedHashMap<>();
    private final Map<Cell, String> failures = new LinkedHashMap<>();
    private final Map<NetTransport, String> unavailable = new LinkedHashMap<>();
    private final Map<Row, String> unavailableRows = new LinkedHashMap<>();

    private long moved;

    /** Creates an empty set. */
    public Figures() {}

    /**
     * Adds the figures of a run.
     *
     * @param row that was measured
     * @param transport that carried it
     * @param figures each of a metric of its own
     */
    public void add(Row row, NetTransport transport, Map<Metric, Double> figures) {
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

    /** Adds bytes that have arrived. */
    void addMoved(long bytes) {
        moved += bytes;
    }

    /**
     * The bytes that have arrived on the streams of all figures.
     *
     * @return their number
     */
    public long moved() {
        return moved;
    }

    /**
     * Records a failed run of a row. The figures of such a row would be meaningless.
     *
     * @param row that was measured
     * @param transport that carried it
     * @param reason for a person
     */
    public void fail(Row row, NetTransport transport, String reason) {
        failures.putIfAbsent(new Cell(row, transport), reason);
    }

    /**
     * Records that a transport does not run on this machine.
     *
     * @param transport that does not
     * @param reason for a person
     */
    public void unavailable(NetTransport transport, String reason) {
        unavailable.putIfAbsent(transport, reason);
    }

    /** Records that a row's programs are not there, on any transport. */
    void unavailable(Row row, String reason) {
        unavailableRows.putIfAbsent(row, reason);
    }

    boolean isAvailable(Row row) {
        return !unavailableRows.containsKey(row);
    }

    boolean isAvailable(NetTransport transport) {
        return !unavailable.containsKey(transport);
    }

    /**
     * Whether a row failed.
     *
     * @return whether there is one
     */
    public boolean hasFailures() {
        return !failures.isEmpty();
    }

    /**
     * The median over the runs.
     *
     * @param row that was measured
     * @param transport that carried it
     * @param metric of the figures
     * @return the median; empty if there was no run, or one of them failed
     */
    public OptionalDouble median(Row row, NetTransport transport, Metric metric) {
        double[] sorted = sorted(row, transport, metric);
        int middle = sorted.length / 2;
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
    }

    /**
     * The smallest and the largest of all runs.
     *
     * @param row that was measured
     * @param transport that carried it
     * @param metric of the figures
     * @return two figures; none if there was no run, or one of them failed
     */
    public List<Double> range(Row row, NetTransport transport, Metric metric) {
        double[] sorted = sorted(row, transport, metric);
        return sorted.length == 0 ? List.of() : List.of(sorted[0], sorted[sorted.length - 1]);
    }

    /** The spread of the runs: the largest minus the smallest, relative to the median; 0 for one run. */
    double spread(Row row, NetTransport transport, Metric metric) {
        double[] sorted = sorted(row, transport, metric);
        double median = median(row, transport, metric).orElse(0);
        return median == 0 ? 0 : (sorted[sorted.length - 1] - sorted[0]) / median;
    }

    /** The ratio to a reference in each run, in the order of the runs; empty if one of the two has no figures. */
    List<Double> ratios(Row row, Metric metric, NetTransport transport, NetTransport reference) {
        List<Double> own = inOrder(row, transport, metric);
        List<Double> other = inOrder(row, reference, metric);
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(own.size(), other.size()); i++) {
            ratios.add(own.get(i) / other.get(i));
        }
        return ratios;
    }

    /**
     * One figure in parts of another.
     *
     * @param one the figure
     * @param other the one whose parts it is given in
     * @return the ratio; empty if one of the two is missing, or the other is 0
     */
    public static OptionalDouble ratio(OptionalDouble one, OptionalDouble other) {
        return one.isEmpty() || other.isEmpty() || other.getAsDouble() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(one.getAsDouble() / other.getAsDouble());
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

    /**
     * What was not measured.
     *
     * @return one line for each, with the reason
     */
    public List<String> gaps() {
        List<String> lines = new ArrayList<>();
        unavailable.forEach((transport, reason) -> lines.add(transport.title() + ": " + reason));
        unavailableRows.forEach((row, reason) -> lines.add(row.title() + ": " + reason));
        failures.forEach((cell, reason) ->
                lines.add(cell.transport().title() + ", " + cell.row().title() + ": FAILED: " + reason));
        return lines;
    }

    /**
     * The number of runs.
     *
     * @return the largest number of figures of one kind
     */
    public int runs() {
        return measured.values().stream()
                .flatMap(metrics -> metrics.values().stream())
                .mapToInt(List::size)
                .max()
                .orElse(0);
    }

    /** Visits the figures of each row, transport and metric. */
    void forEach(Visitor visitor) {
        measured.forEach((cell, metrics) -> {
            // The others of a row of which a run failed say nothing without it.
            if (!failures.containsKey(cell)) {
                metrics.forEach((metric, values) -> visitor.visit(cell.row(), cell.transport(), metric, values));
            }
        });
    }

    /** Takes the figures of the runs of a row. */
    interface Visitor {
        void visit(Row row, NetTransport transport, Metric metric, List<Double> runs);
    }
}
