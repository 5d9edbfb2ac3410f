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
        plots.add(new XyPlot(
                        "A hog on the host's processor, windows of 10 ms",
                        "ms",
                        "p99, us",
                        true,
                        Stream.of(FunctionPlace.HOST, FunctionPlace.AUTO)
                                .map(place -> new XyPlot.Curve(
                                        place.title(),
                                        place.colour(),
                                        new ShiftWindows(figures, place).points(ShiftPart.P99)))
                                .toList())
                .svg());
        plots.add(new XyPlot(
                        "The same, auto",
                        "ms",
                        "share of each place",
                        false,
                        Stream.of(FunctionPlace.CLIENT, FunctionPlace.DEVICE, FunctionPlace.HOST)
                                .map(place -> new XyPlot.Curve(
                                        place.title(),
                                        place.colour(),
                                        new ShiftWindows(figures, FunctionPlace.AUTO).points(ShiftPart.SHARE + place)))
                                .toList())
                .svg());
        return plots.stream().filter(plot -> !plot.isEmpty()).toList();
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
