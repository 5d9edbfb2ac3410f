// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.paper;

import io.pipedevice.bench.net.Figures;
import io.pipedevice.bench.net.Metric;
import io.pipedevice.bench.net.Numbers;
import io.pipedevice.bench.net.Row;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a paper promises, and how it is computed here.
 *
 * @param what its name
 * @param stated what the paper says, as text
 * @param wanted the same as a number; NaN if the paper gives none
 * @param form how it is computed
 * @param row in which it is measured
 * @param metric the figure of the row
 * @param base with which it is compared: a row, or a number in the metric's own unit
 * @param placements of PipeDevice for which it is computed
 */
record Gain(
        String what,
        String stated,
        double wanted,
        Form form,
        Row row,
        Metric metric,
        Base base,
        List<PaperTransport> placements) {

    /** How a gain is computed. */
    enum Form {
        /** The figure in parts of TCP's over the bridge, in the same row or another one. */
        TIMES_TCP,

        /** TCP's figure over the bridge in parts of the figure. */
        TIMES_LESS_THAN_TCP,

        /** The figure in parts of another row's. */
        OF_ROW,

        /** A number in parts of the figure. */
        TIMES_LESS_THAN,

        /** The figure, the larger the better. */
        AT_LEAST,

        /** The figure, the smaller the better. */
        AT_MOST,

        /** The figure, the nearer to 1 the better. */
        NEAR_ONE
    }

    /** What a figure is compared with, where that is not the same row on TCP: another row, or a number. */
    record Base(Row row, double number) {
        private static final Base NONE = new Base(null, Double.NaN);
    }

    /** The best placement. */
    record Best(PaperTransport transport, double value) {}

    static Gain timesTcp(String what, String stated, double wanted, Row row, Metric metric) {
        return of(what, stated, wanted, Form.TIMES_TCP, row, metric, Base.NONE);
    }

    /** Beside another row on TCP, on which the row itself does not run. */
    static Gain timesTcpOf(String what, String stated, double wanted, Row row, Row base, Metric metric) {
        return of(what, stated, wanted, Form.TIMES_TCP, row, metric, new Base(base, Double.NaN));
    }

    static Gain timesLessThanTcp(String what, String stated, double wanted, Row row, Metric metric) {
        return of(what, stated, wanted, Form.TIMES_LESS_THAN_TCP, row, metric, Base.NONE);
    }

    static Gain ofRow(String what, String stated, double wanted, Row row, Row base, Metric metric) {
        return of(what, stated, wanted, Form.OF_ROW, row, metric, new Base(base, Double.NaN));
    }

    static Gain timesLessThan(String what, String stated, double wanted, double number, Row row, Metric metric) {
        return of(what, stated, wanted, Form.TIMES_LESS_THAN, row, metric, new Base(null, number));
    }

    static Gain atLeast(String what, String stated, double wanted, Row row, Metric metric) {
        return of(what, stated, wanted, Form.AT_LEAST, row, metric, Base.NONE);
    }

    static Gain atMost(String what, String stated, double wanted, Row row, Metric metric) {
        return of(what, stated, wanted, Form.AT_MOST, row, metric, Base.NONE);
    }

    static Gain nearOne(String what, String stated, Row row, Metric metric) {
        return of(what, stated, 1, Form.NEAR_ONE, row, metric, Base.NONE);
    }

    private static Gain of(String what, String stated, double wanted, Form form, Row row, Metric metric, Base base) {
        return new Gain(what, stated, wanted, form, row, metric, base, PaperTransport.placements());
    }

    /** The same for some placements only. */
    Gain on(PaperTransport... some) {
        return new Gain(what, stated, wanted, form, row, metric, base, List.of(some));
    }

    /** The best of the placements that were measured. */
    Optional<Best> best(Figures figures) {
        Best best = null;
        for (PaperTransport transport : placements) {
            OptionalDouble value = value(figures, transport);
            if (value.isPresent() && (best == null || isBetter(value.getAsDouble(), best.value()))) {
                best = new Best(transport, value.getAsDouble());
            }
        }
        return Optional.ofNullable(best);
    }

    private boolean isBetter(double value, double than) {
        return switch (form) {
            case AT_MOST -> value < than;
            case NEAR_ONE -> Math.abs(value - 1) < Math.abs(than - 1);
            default -> value > than;
        };
    }

    private OptionalDouble value(Figures figures, PaperTransport transport) {
        OptionalDouble own = figures.median(row, transport, metric);
        return switch (form) {
            case TIMES_TCP ->
                ratio(own, figures.median(base.row() == null ? row : base.row(), PaperTransport.TCP, metric));
            case TIMES_LESS_THAN_TCP -> ratio(figures.median(row, PaperTransport.TCP, metric), own);
            case OF_ROW -> ratio(own, figures.median(base.row(), transport, metric));
            case TIMES_LESS_THAN -> ratio(OptionalDouble.of(base.number()), own);
            case AT_LEAST, AT_MOST, NEAR_ONE -> own;
        };
    }

    private static OptionalDouble ratio(OptionalDouble one, OptionalDouble other) {
        return one.isEmpty() || other.isEmpty() || other.getAsDouble() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(one.getAsDouble() / other.getAsDouble());
    }

    /** A value as text. */
    String text(double value) {
        return switch (form) {
            case AT_LEAST, AT_MOST, NEAR_ONE -> metric.text(OptionalDouble.of(value)) + " " + metric.unit();
            default -> Numbers.significant(value) + " x";
        };
    }

    /** What a value means beside the paper's. */
    String verdict(double value) {
        if (Double.isNaN(wanted)) {
            return value >= 1 ? "ahead of TCP" : "behind TCP";
        }
        return switch (form) {
            case NEAR_ONE -> Numbers.significant(Math.abs(value - 1) * 100) + " % off";
            case AT_MOST -> value <= wanted ? "reached" : Numbers.significant(value / wanted) + " times the paper's";
            default ->
                value >= wanted
                        ? "reached " + Numbers.significant(wanted)
                        : Numbers.significant(value / wanted) + " of it";
        };
    }
}
