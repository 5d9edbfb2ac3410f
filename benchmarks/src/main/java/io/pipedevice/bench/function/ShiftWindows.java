// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import java.util.List;
import java.util.stream.DoubleStream;

/** The figures of {@link ShiftPart} in their order: a third before the hog, a third with it, a third after it. */
final class ShiftWindows {
    static final int PHASES = 3;

    private final FunctionFigures figures;
    private final String part;
    private final FunctionPlace place;

    /** The figures of calls of a place, or steered ones, while a place is slowed. */
    ShiftWindows(FunctionFigures figures, FunctionPlace slowed, FunctionPlace place) {
        this.figures = figures;
        this.part = ShiftPart.part(slowed);
        this.place = place;
    }

    FunctionFigures.Key recoveryKey() {
        return LoadPart.key(part, ShiftPart.APPLICATION, place, "", ShiftPart.RECOVERY);
    }

    /** Time in ms, and the figure, of all windows. */
    List<XyPlot.Point> points(String metric) {
        return figures.settings(part, ShiftPart.APPLICATION.toString(), place.toString(), metric).stream()
                .map(time -> new XyPlot.Point(
                        Double.parseDouble(time),
                        figures.get(LoadPart.key(part, ShiftPart.APPLICATION, place, time, metric))
                                .orElse(0)))
                .toList();
    }

    private DoubleStream phase(String metric, int phase) {
        List<XyPlot.Point> points = points(metric);
        double end = points.isEmpty() ? 0 : points.getLast().x() + ShiftPart.WINDOW_MS;
        return points.stream()
                .filter(point -> (int) (point.x() * PHASES / end) == phase)
                .mapToDouble(XyPlot.Point::y);
    }

    /** The median of a phase, from 0. */
    double middle(String metric, int phase) {
        double[] sorted = phase(metric, phase).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }

    double mean(String metric, int phase) {
        return phase(metric, phase).average().orElse(0);
    }
}
