// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.paper;

import io.pipedevice.bench.net.Figures;
import io.pipedevice.bench.net.Metric;
import io.pipedevice.bench.net.Numbers;
import io.pipedevice.bench.net.Row;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What a paper promises, and how it is computed here.
 *
 * @param what its name
 * @param stated what the paper says, as text
 * @param wanted the same as a number; NaN if the paper gives none that can be compared
 * @param form how it is computed
 * @param row in which it is measured
 * @param metric the figure of the row
 * @param base with which it is compared
 * @param placements of PipeDevice for which it is computed
 * @param needs the throughput without which a figure says nothing
 */
record Gain(
        String what,
        String stated,
        double wanted,
        Form form,
        Row row,
        Metric metric,
        Base base,
        List<PaperTransport> placements,
        Optional<Needs> needs) {
    private static final String NO_BASE = "-";

    /** How a gain is computed. */
    enum Form {
        /** The figure in parts of TCP's, in the same row or another one. */
        TIMES_TCP,

        /** TCP's figure in parts of the figure. */
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

    /**
     * What a figure is compared with.
     *
     * @param tcp for all placements; empty if each has its own, see {@link Gain#tcp}
     * @param row of the same transport, or of TCP; or null
     * @param number in the metric's own unit, or NaN
     */
    record Base(Optional<PaperTransport> tcp, Row row, double number) {
        private static final Base NONE = new Base(Optional.empty(), null, Double.NaN);
    }

    /**
     * A throughput that a transport must have reached.
     *
     * @param row in which
     * @param gigabytes in a second, at least
     */
    record Needs(Row row, double gigabytes) {}

    /**
     * The best placement.
     *
     * @param transport the placement
     * @param base with which it is compared, as text
     * @param value the gain
     */
    record Best(PaperTransport transport, String base, double value) {}

    static Gain timesTcp(String what, String stated, double wanted, Row row, Metric metric) {
        return of(what, stated, wanted, Form.TIMES_TCP, row, metric, Base.NONE);
    }

    /** Beside another row on TCP, on which the row itself does not run. */
    static Gain timesTcpOf(String what, String stated, double wanted, Row row, Row base, Metric metric) {
        return of(what, stated, wanted, Form.TIMES_TCP, row, metric, new Base(Optional.empty(), base, Double.NaN));
    }

    static Gain timesLessThanTcp(String what, String stated, double wanted, Row row, Metric metric) {
        return of(what, stated, wanted, Form.TIMES_LESS_THAN_TCP, row, metric, Base.NONE);
    }

    /** Beside another row on TCP, on which the row itself does not run. */
    static Gain timesLessThanTcpOf(String what, String stated, double wanted, Row row, Row base, Metric metric) {
        return of(
                what,
                stated,
                wanted,
                Form.TIMES_LESS_THAN_TCP,
                row,
                metric,
                new Base(Optional.empty(), base, Double.NaN));
    }

    static Gain ofRow(String what, String stated, double wanted, Row row, Row base, Metric metric) {
        return of(what, stated, wanted, Form.OF_ROW, row, metric, new Base(Optional.empty(), base, Double.NaN));
    }

    static Gain timesLessThan(String what, String stated, double wanted, double number, Row row, Metric metric) {
        return of(what, stated, wanted, Form.TIMES_LESS_THAN, row, metric, new Base(Optional.empty(), null, number));
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
        return new Gain(what, stated, wanted, form, row, metric, base, PaperTransport.placements(), Optional.empty());
    }

    /** The same for some placements only. */
    Gain on(PaperTransport... some) {
        return new Gain(what, stated, wanted, form, row, metric, base, List.of(some), needs);
    }

    /** The same, with one TCP for all placements. */
    Gain beside(PaperTransport tcp) {
        Base other = new Base(Optional.of(tcp), base.row(), base.number());
        return new Gain(what, stated, wanted, form, row, metric, other, placements, needs);
    }

    /** The same of transports only that reach a throughput: one that does less work needs less of everything. */
    Gain ifReached(Row in, double gigabytes) {
        Optional<Needs> needed = Optional.of(new Needs(in, gigabytes));
        return new Gain(what, stated, wanted, form, row, metric, base, placements, needed);
    }

    /** The best of the placements that were measured. */
    Optional<Best> best(Figures figures) {
        Best best = null;
        for (PaperTransport transport : placements) {
            OptionalDouble value = value(figures, transport);
            if (value.isPresent() && (best == null || isBetter(value.getAsDouble(), best.value()))) {
                best = new Best(transport, base(transport), value.getAsDouble());
            }
        }
        return Optional.ofNullable(best);
    }

    /** The transports that were measured, and are not compared because of {@link #needs}: each with the reason. */
    List<String> leftOut(Figures figures) {
        Set<PaperTransport> compared = new LinkedHashSet<>();
        placements.forEach(transport -> compared.addAll(compared(transport)));
        List<String> lines = new ArrayList<>();
        for (PaperTransport transport : compared) {
            if (figures.median(row, transport, metric).isPresent() && !isFastEnough(figures, transport)) {
                Needs needed = needs.orElseThrow();
                OptionalDouble reached = figures.median(needed.row(), transport, Metric.GIGABYTES);
                lines.add(transport.label()
                        + " left out: "
                        + needed.row().title()
                        + (reached.isEmpty()
                                ? " not measured"
                                : " at " + text(Metric.GIGABYTES, reached.getAsDouble()) + ", needs "
                                        + text(Metric.GIGABYTES, needed.gigabytes())));
            }
        }
        return lines;
    }

    private boolean isFastEnough(Figures figures, PaperTransport transport) {
        return needs.isEmpty()
                || figures.median(needs.get().row(), transport, Metric.GIGABYTES)
                                .orElse(0)
                        >= needs.get().gigabytes();
    }

    /** A placement, and the TCP beside it if there is one. */
    private List<PaperTransport> compared(PaperTransport transport) {
        return isBesideTcp() ? List.of(transport, tcp(transport)) : List.of(transport);
    }

    /** Whether the value is a ratio, and not a figure with a unit. */
    boolean isRatio() {
        return switch (form) {
            case AT_LEAST, AT_MOST, NEAR_ONE -> false;
            default -> true;
        };
    }

    private boolean isBesideTcp() {
        return form == Form.TIMES_TCP || form == Form.TIMES_LESS_THAN_TCP;
    }

    /**
     * The TCP with which a placement is compared. The two programs of PEERS are in one namespace, where TCP needs no
     * bridge.
     */
    private PaperTransport tcp(PaperTransport transport) {
        return base.tcp().orElse(transport == PaperTransport.PEERS ? PaperTransport.TCP_LOOPBACK : PaperTransport.TCP);
    }

    private String base(PaperTransport transport) {
        if (form == Form.OF_ROW) {
            return base.row().title();
        }
        return isBesideTcp() ? tcp(transport).label() : NO_BASE;
    }

    private boolean isBetter(double value, double than) {
        return switch (form) {
            case AT_MOST -> value < than;
            case NEAR_ONE -> Math.abs(value - 1) < Math.abs(than - 1);
            default -> value > than;
        };
    }

    private OptionalDouble value(Figures figures, PaperTransport transport) {
        if (!compared(transport).stream().allMatch(one -> isFastEnough(figures, one))) {
            return OptionalDouble.empty();
        }
        OptionalDouble own = figures.median(row, transport, metric);
        return switch (form) {
            case TIMES_TCP -> Figures.ratio(own, ofTcp(figures, transport));
            case TIMES_LESS_THAN_TCP -> Figures.ratio(ofTcp(figures, transport), own);
            case OF_ROW -> Figures.ratio(own, figures.median(base.row(), transport, metric));
            case TIMES_LESS_THAN -> Figures.ratio(OptionalDouble.of(base.number()), own);
            case AT_LEAST, AT_MOST, NEAR_ONE -> own;
        };
    }

    private OptionalDouble ofTcp(Figures figures, PaperTransport transport) {
        return figures.median(base.row() == null ? row : base.row(), tcp(transport), metric);
    }

    /** A value as text. */
    String text(double value) {
        return isRatio() ? Numbers.significant(value) + " x" : text(metric, value);
    }

    private static String text(Metric metric, double value) {
        return metric.text(OptionalDouble.of(value)) + " " + metric.unit();
    }

    /** What a value means beside the paper's. What is worse than TCP is not a gain, whatever the paper has. */
    String verdict(double value) {
        if (isBesideTcp() && value < 1) {
            return "behind TCP";
        }
        if (Double.isNaN(wanted)) {
            return isBesideTcp() ? "ahead of TCP" : "not comparable";
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
