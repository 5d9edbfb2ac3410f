// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.Arrays;
import java.util.Locale;

/** Figures for people: the middle of several, and their text. */
public final class Numbers {
    private Numbers() {}

    /**
     * Three significant digits, and none after the point for a whole number.
     *
     * @param value a figure
     * @return its digits
     */
    public static String significant(double value) {
        double size = Math.abs(value);
        if (size < 1000 && value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    /**
     * A number of bytes in its largest unit.
     *
     * @param bytes their number
     * @return number and unit
     */
    public static String size(int bytes) {
        if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
            return (bytes >> 20) + " MB";
        }
        return bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? (bytes >> 10) + " KB" : bytes + " B";
    }

    /** The middle one of some values, the larger one of two. Sorts them. */
    static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
