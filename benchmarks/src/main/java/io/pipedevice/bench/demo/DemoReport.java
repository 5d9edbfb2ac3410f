// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.demo;

import java.util.Locale;

/** The two runs of the demo, side by side. */
final class DemoReport {
    private static final double NANOS_TO_MICROS = 1000;
    private static final double GIGA = 1e9;

    private DemoReport() {}

    static String text(DemoRun kernel, DemoRun rings) {
        StringBuilder text = new StringBuilder();
        row(text, "", "kernel TCP", "PipeDevice", "better");
        double kernelSmall = kernel.small().messagesPerSecond();
        double ringSmall = rings.small().messagesPerSecond();
        figures(text, "messages of 64 B, per second", "%,.0f", kernelSmall, ringSmall, ringSmall / kernelSmall);
        double kernelRate = kernel.large().gigabitsPerSecond();
        double ringRate = rings.large().gigabitsPerSecond();
        figures(text, "messages of 64 KB, Gbit/s", "%.2f", kernelRate, ringRate, ringRate / kernelRate);
        double kernelMicros = kernel.roundTripNanos() / NANOS_TO_MICROS;
        double ringMicros = rings.roundTripNanos() / NANOS_TO_MICROS;
        figures(text, "64 B there and back, median us", "%.1f", kernelMicros, ringMicros, kernelMicros / ringMicros);
        row(text, "every byte arrived", arrived(kernel), arrived(rings), "");
        row(
                text,
                "accelerated connections",
                kernel.accelerated() + " of " + DemoRun.CONNECTIONS,
                rings.accelerated() + " of " + DemoRun.CONNECTIONS,
                "");
        return text.toString();
    }

    /** @param gain the factor by which PipeDevice is better */
    private static void figures(
            StringBuilder text, String what, String format, double kernel, double rings, double gain) {
        row(
                text,
                what,
                String.format(Locale.ROOT, format, kernel),
                String.format(Locale.ROOT, format, rings),
                better(gain));
    }

    /** The better side, and by which factor. */
    private static String better(double gain) {
        return gain >= 1
                ? String.format(Locale.ROOT, "PipeDevice, %.1f times", gain)
                : String.format(Locale.ROOT, "kernel TCP, %.1f times", 1 / gain);
    }

    private static String arrived(DemoRun run) {
        return String.format(
                Locale.ROOT, "yes, %.2f GB", (run.small().bytes() + run.large().bytes()) / GIGA);
    }

    private static void row(StringBuilder text, String what, String kernel, String rings, String better) {
        String line = String.format(Locale.ROOT, "%-32s %16s %16s  %s", what, kernel, rings, better);
        text.append(line.stripTrailing()).append(System.lineSeparator());
    }
}
