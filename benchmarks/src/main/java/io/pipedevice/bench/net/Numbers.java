// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.Locale;
import java.util.OptionalDouble;

/** Formats figures for people. */
final class Numbers {
    private static final double KILO = 1000;

    private Numbers() {}

    /** A figure in the unit of its metric; a dash if there is none. */
    static String text(Metric metric, OptionalDouble figure) {
        if (figure.isEmpty()) {
            return "-";
        }
        double value = figure.getAsDouble();
        return switch (metric) {
            case MESSAGES,
                    CONNECTIONS,
                    ECHOES_FEW,
                    ECHOES_MANY,
                    ECHOES,
                    FIRST_SECOND,
                    SECOND_SECOND,
                    THIRD_SECOND,
                    FIRST_SECONDS -> String.format(Locale.ROOT, "%,.0f", value);
            case CPU_SELECTOR, CPU_CONNECT -> String.format(Locale.ROOT, "%.0f", value * KILO);
            case GIGABYTES, CPU -> significant(value);
            case ALLOCATED, SYSTEM_CALLS -> String.format(Locale.ROOT, "%,.2f", value);
            case P50, P99, P999 -> significant(value / KILO);
            case CACHE_LINE -> String.format(Locale.ROOT, "%.0f", value);
            case MEMORY, MEMORY_PROCESSES, MEMORY_HEAP, MEMORY_SHARED, MEMORY_KERNEL ->
                String.format(Locale.ROOT, "%.1f", value / 1024);
            case IDLE_CPU -> String.format(Locale.ROOT, "%.2f", value * 100);
        };
    }

    /** The unit that {@link #text} uses. */
    static String unit(Metric metric) {
        return switch (metric) {
            case MESSAGES -> "messages/s";
            case CONNECTIONS -> "connections/s";
            case ECHOES_FEW, ECHOES_MANY, ECHOES -> "echoes/s";
            case FIRST_SECOND, SECOND_SECOND, THIRD_SECOND, FIRST_SECONDS -> "connections";
            case CPU_SELECTOR, CPU_CONNECT -> "CPU ms";
            case GIGABYTES -> "GB/s";
            case CPU -> "CPU s/GB";
            case P50, P99, P999 -> "us";
            case CACHE_LINE -> "ns";
            case ALLOCATED -> "bytes/message";
            case SYSTEM_CALLS -> "system calls/1000 messages";
            case MEMORY, MEMORY_PROCESSES, MEMORY_HEAP, MEMORY_SHARED, MEMORY_KERNEL -> "KB";
            case IDLE_CPU -> "% of a processor";
        };
    }

    /** Three significant digits, and none after the point for a whole number. */
    static String significant(double value) {
        double size = Math.abs(value);
        if (size < 1000 && value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    /** A number of bytes in its largest unit. */
    static String size(int bytes) {
        if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
            return (bytes >> 20) + " MB";
        }
        return bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? (bytes >> 10) + " KB" : bytes + " B";
    }
}
