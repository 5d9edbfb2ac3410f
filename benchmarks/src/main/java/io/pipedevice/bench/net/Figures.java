// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The measured figures, and the figures that could not be measured. Used by one thread. */
public final class Figures {
    private static final String HEAD = "row,transport,metric,runs";
    private static final String SEPARATOR = ",";

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
     * The bytes that have arrived on the streams of this call.
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

    /**
     * Writes all figures: a line for each row, transport and metric, and in it the figure of each run. If a run of a row
     * failed, the others of this transport are left out as well, because nothing in the file would say that it failed.
     *
     * @param file to write
     * @throws IOException if that fails
     */
    public void save(Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of(HEAD));
        measured.forEach((cell, metrics) -> {
            if (!failures.containsKey(cell)) {
                metrics.forEach((metric, values) -> lines.add(line(cell, metric, values)));
            }
        });
        Files.write(file, lines);
    }

    private static String line(Cell cell, Metric metric, List<Double> values) {
        return cell.row().name()
                + SEPARATOR
                + cell.transport().name()
                + SEPARATOR
                + metric.name()
                + SEPARATOR
                + values.stream().map(String::valueOf).collect(Collectors.joining(SEPARATOR));
    }

    /**
     * Adds the figures of a file, as if they had been measured before.
     *
     * @param file that {@link #save} wrote
     * @param transports that it may contain
     * @throws IOException if it cannot be read, or contains anything else; the message names the line
     */
    public void load(Path file, List<? extends NetTransport> transports) throws IOException {
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            if (i == 0 ? !lines.get(i).equals(HEAD) : !add(lines.get(i).split(SEPARATOR, -1), transports)) {
                throw new IOException(file + ", line " + (i + 1) + ": not a line of figures");
            }
        }
    }

    private boolean add(String[] words, List<? extends NetTransport> transports) {
        try {
            Row row = Row.valueOf(words[0]);
            Metric metric = Metric.valueOf(words[2]);
            NetTransport transport = transports.stream()
                    .filter(one -> one.name().equals(words[1]))
                    .findFirst()
                    .orElseThrow(IllegalArgumentException::new);
            for (int i = 3; i < words.length; i++) {
                add(row, transport, Map.of(metric, Double.valueOf(words[i])));
            }
            return words.length > 3;
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            return false;
        }
    }
}
