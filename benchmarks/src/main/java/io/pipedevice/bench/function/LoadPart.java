// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import java.io.IOException;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Measures one call at a time, many at a time, and a load that rises, at a place. */
final class LoadPart {
    /** With a number of outstanding calls. */
    static final String CLOSED = "load";

    /** With a rate. */
    static final String OPEN = "curve";

    static final String RATE = "calls/s";
    static final List<Integer> OUTSTANDING = List.of(1, 32);
    static final List<Double> PERCENTILES = List.of(50.0, 99.0, 99.9);

    private static final long LONGEST_NS = 60_000_000_000L;
    private static final int DIGITS = 3;

    /** The rates of the open loop, as parts of the rate of the closed one. */
    private static final double[] PARTS = {0.1, 0.3, 0.5, 0.7, 0.8, 0.9};

    private final FunctionFigures figures;
    private final double seconds;

    LoadPart(FunctionFigures figures, double seconds) {
        this.figures = figures;
        this.seconds = seconds;
    }

    static String percentile(double percentile) {
        return percentile == Math.rint(percentile) ? "p" + (int) percentile + "-us" : "p" + percentile + "-us";
    }

    static Histogram histogram() {
        return new Histogram(LONGEST_NS, DIGITS);
    }

    /** Measures a place. The warm-up is as long as the measurements. */
    void measure(Application application, FunctionPlace place, Port port, Workload workload) throws IOException {
        double most = 0;
        for (int outstanding : OUTSTANDING) {
            ClosedLoop loop = new ClosedLoop(port, workload, outstanding);
            loop.run(seconds, histogram());
            Histogram times = histogram();
            most = loop.run(seconds, times);
            record(CLOSED, application, place, Integer.toString(outstanding), most, times);
        }
        OpenLoop loop = new OpenLoop(port, workload, false);
        for (double part : PARTS) {
            Histogram times = histogram();
            double rate = part * most;
            long calls = loop.run(
                    rate,
                    seconds,
                    (intended, ended, ranAt) -> times.recordValue(Math.min(LONGEST_NS, ended - intended)));
            record(OPEN, application, place, Double.toString(part), calls / seconds, times);
        }
    }

    private void record(
            String part, Application application, FunctionPlace place, String setting, double rate, Histogram times) {
        figures.add(key(part, application, place, setting, RATE), rate);
        for (double percentile : PERCENTILES) {
            figures.add(
                    key(part, application, place, setting, percentile(percentile)),
                    times.getValueAtPercentile(percentile) / 1e3);
        }
    }

    static FunctionFigures.Key key(
            String part, Application application, FunctionPlace place, String setting, String metric) {
        return new FunctionFigures.Key(part, application.toString(), place.toString(), setting, metric);
    }
}
