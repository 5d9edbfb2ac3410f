// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import java.util.Locale;

/** The two runs of the demo, side by side. */
final class DemoReport {
    private static final double NANOS_TO_MICROS = 1000;
    private static final double GIGA = 1e9;

    private DemoReport() {}

    static String text(DemoRun kernel, DemoRun rings) {
        StringBuilder text = new StringBuilder();
        row(text, "", "kernel TCP", "PipeDevice", "ratio");
        figures(
                text,
                "messages of 64 B, per second",
                "%,.0f",
                kernel.small().messagesPerSecond(),
                rings.small().messagesPerSecond());
        figures(
                text,
                "messages of 64 KB, Gbit/s",
                "%.2f",
                kernel.large().gigabitsPerSecond(),
                rings.large().gigabitsPerSecond());
        figures(
                text,
                "64 B there and back, median us",
                "%.1f",
                kernel.roundTripNanos() / NANOS_TO_MICROS,
                rings.roundTripNanos() / NANOS_TO_MICROS);
        row(text, "every byte arrived", arrived(kernel), arrived(rings), "");
        row(
                text,
                "accelerated connections",
                kernel.accelerated() + " of " + DemoRun.CONNECTIONS,
                rings.accelerated() + " of " + DemoRun.CONNECTIONS,
                "");
        return text.toString();
    }

    private static void figures(StringBuilder text, String what, String format, double kernel, double rings) {
        row(
                text,
                what,
                String.format(Locale.ROOT, format, kernel),
                String.format(Locale.ROOT, format, rings),
                String.format(Locale.ROOT, "%.2f", rings / kernel));
    }

    private static String arrived(DemoRun run) {
        return String.format(
                Locale.ROOT, "yes, %.2f GB", (run.small().bytes() + run.large().bytes()) / GIGA);
    }

    private static void row(StringBuilder text, String what, String kernel, String rings, String ratio) {
        text.append(String.format(Locale.ROOT, "%-32s %16s %16s %8s%n", what, kernel, rings, ratio));
    }
}
