// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Draws what the figures of NAAM show: latency against throughput, and what happens when a place is slowed. */
final class FunctionPlots {
    private final FunctionFigures figures;

    FunctionPlots(FunctionFigures figures) {
        this.figures = figures;
    }

    /** All plots of which there are figures, as SVG. */
    List<String> all() {
        List<String> plots = new ArrayList<>();
        for (Application application : Application.values()) {
            List<XyPlot.Curve> curves = Stream.of(FunctionPlace.values())
                    .map(place -> new XyPlot.Curve(place.title(), place.colour(), points(application, place)))
                    .toList();
            plots.add(new XyPlot(application.title() + ", open loop", "1,000 calls/s", "p99, us", true, curves).svg());
        }
        for (FunctionPlace slowed : ShiftPart.SLOWED) {
            plots.add(new XyPlot(
                            "A hog on the processor of the " + slowed + ", windows of 10 ms",
                            "ms",
                            "p99, us",
                            true,
                            Stream.of(slowed, FunctionPlace.AUTO)
                                    .map(place -> curve(slowed, place, place, ShiftPart.P99))
                                    .toList())
                    .svg());
            plots.add(new XyPlot(
                            "The same, auto",
                            "ms",
                            "share of each place",
                            false,
                            Stream.of(FunctionPlace.CLIENT, FunctionPlace.DEVICE, FunctionPlace.HOST)
                                    .map(place -> curve(slowed, FunctionPlace.AUTO, place, ShiftPart.SHARE + place))
                                    .toList())
                    .svg());
        }
        return plots.stream().filter(plot -> !plot.isEmpty()).toList();
    }

    private XyPlot.Curve curve(FunctionPlace slowed, FunctionPlace mode, FunctionPlace shown, String metric) {
        return new XyPlot.Curve(shown.title(), shown.colour(), new ShiftWindows(figures, slowed, mode).points(metric));
    }

    private List<XyPlot.Point> points(Application application, FunctionPlace place) {
        String p99 = LoadPart.percentile(99);
        return figures.settings(LoadPart.OPEN, application.toString(), place.toString(), p99).stream()
                .map(setting -> new XyPlot.Point(
                        figures.get(LoadPart.key(LoadPart.OPEN, application, place, setting, LoadPart.RATE))
                                        .orElse(0)
                                / 1e3,
                        figures.get(LoadPart.key(LoadPart.OPEN, application, place, setting, p99))
                                .orElse(0)))
                .toList();
    }
}
