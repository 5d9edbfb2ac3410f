// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.containers;

import io.pipedevice.bench.net.Figures;
import io.pipedevice.bench.net.Line;
import io.pipedevice.bench.net.Metric;
import io.pipedevice.bench.net.Numbers;
import io.pipedevice.bench.net.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A figure that the project wants to reach.
 *
 * @param what its description
 * @param row in which it is measured
 * @param metric the figure of the row
 * @param transport whose figure it is
 * @param reference whose figure it is compared with
 * @param form how
 * @param limit of the result
 */
record ContainerGoal(
        String what,
        Row row,
        Metric metric,
        ContainerTransport transport,
        ContainerTransport reference,
        Form form,
        double limit) {
    private static final double NANOS_PER_MICRO = 1000;

    /** How a figure is compared with the reference. */
    enum Form {
        /** The ratio must be at least the bound. */
        RATIO_AT_LEAST,

        /** The ratio must be at most the bound. */
        RATIO_AT_MOST,

        /** The difference, of nanoseconds, must be at most the bound, in microseconds. */
        MORE_MICROS_AT_MOST,

        /** The figure itself must be at least the bound. */
        AT_LEAST
    }

    static List<ContainerGoal> all() {
        List<ContainerGoal> goals = new ArrayList<>();
        for (Line line : Lines.traffic()) {
            Form form = line.metric() == Metric.GIGABYTES ? Form.RATIO_AT_LEAST : Form.RATIO_AT_MOST;
            boolean isOne = line.row().isStream() || line.row().isPingPong();
            if (isOne && (line.metric() == Metric.GIGABYTES || line.metric() == Metric.P50)) {
                goals.add(new ContainerGoal(
                        line.what() + ": direct beside peers",
                        line.row(),
                        line.metric(),
                        ContainerTransport.DIRECT,
                        ContainerTransport.PEERS,
                        form,
                        form == Form.RATIO_AT_LEAST ? 0.9 : 1.1));
            }
        }
        goals.add(toTcp(
                "connections/s: direct",
                Row.CONNECT,
                Metric.CONNECTIONS,
                ContainerTransport.DIRECT,
                Form.RATIO_AT_LEAST,
                0.8));
        goals.add(toTcp(
                "64 KB one way, GB/s: device",
                Row.STREAM_64K,
                Metric.GIGABYTES,
                ContainerTransport.DEVICE,
                Form.RATIO_AT_LEAST,
                3));
        goals.add(toTcp(
                "64 KB one way, CPU of the programs: device",
                Row.STREAM_64K,
                Metric.CPU_PROGRAMS,
                ContainerTransport.DEVICE,
                Form.RATIO_AT_MOST,
                0.5));
        for (Line line : Lines.traffic()) {
            if (line.metric() == Metric.P50) {
                goals.add(toTcp(
                        line.what() + ": device",
                        line.row(),
                        Metric.P50,
                        ContainerTransport.DEVICE,
                        Form.RATIO_AT_MOST,
                        1));
            }
        }
        for (Line line : Lines.notAccelerated()) {
            goals.add(toTcp(
                    "connect " + line.what().strip() + ", more us",
                    line.row(),
                    line.metric(),
                    ContainerTransport.DIRECT,
                    Form.MORE_MICROS_AT_MOST,
                    line.row() == Row.CONNECT_DRIVER_AWAY ? 1 : 40));
        }
        for (Row row : List.of(Row.PAIRS_16, Row.PAIRS_128, Row.PAIRS_512)) {
            goals.add(toTcp(
                    row.title() + ", Jain's index: device",
                    row,
                    Metric.JAIN,
                    ContainerTransport.DEVICE,
                    Form.AT_LEAST,
                    0.97));
        }
        return goals;
    }

    private static ContainerGoal toTcp(
            String what, Row row, Metric metric, ContainerTransport transport, Form form, double bound) {
        return new ContainerGoal(what, row, metric, transport, ContainerTransport.TCP, form, bound);
    }

    /** The value that is compared with the bound; empty if a figure that it needs was not measured. */
    OptionalDouble reached(Figures figures) {
        OptionalDouble own = figures.median(row, transport, metric);
        OptionalDouble other = figures.median(row, reference, metric);
        return switch (form) {
            case AT_LEAST -> own;
            case MORE_MICROS_AT_MOST ->
                own.isEmpty() || other.isEmpty()
                        ? OptionalDouble.empty()
                        : OptionalDouble.of((own.getAsDouble() - other.getAsDouble()) / NANOS_PER_MICRO);
            case RATIO_AT_LEAST, RATIO_AT_MOST -> Figures.ratio(own, other);
        };
    }

    /** Whether a value reaches the bound. */
    boolean isReachedBy(double value) {
        boolean isMin = form == Form.RATIO_AT_LEAST || form == Form.AT_LEAST;
        return isMin ? value >= limit : value <= limit;
    }

    /** The bound as text. */
    String bound() {
        return (form == Form.RATIO_AT_LEAST || form == Form.AT_LEAST ? "at least " : "at most ") + text(limit);
    }

    /** A value as text. */
    String text(double value) {
        return switch (form) {
            case RATIO_AT_LEAST, RATIO_AT_MOST -> Numbers.significant(value) + " x";
            case MORE_MICROS_AT_MOST, AT_LEAST -> Numbers.significant(value);
        };
    }
}
