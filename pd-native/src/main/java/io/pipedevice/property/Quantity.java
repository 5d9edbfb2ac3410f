// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.property;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Numbers with units, as users write them. Surrounding space and the case of the unit do not matter. */
public final class Quantity {
    private static final String SIZE_UNITS = "kmg";
    private static final int UNIT_BITS = 10;

    private Quantity() {}

    /**
     * Reads a number of bytes or of other things.
     *
     * @param text digits, and k, m or g after them for the powers of 1024
     * @return the number, negative if it has a sign
     * @throws NumberFormatException if it is anything else, or too large
     */
    public static long size(String text) {
        String digits = text.strip().toLowerCase(Locale.ROOT);
        int unit = digits.isEmpty() ? -1 : SIZE_UNITS.indexOf(digits.charAt(digits.length() - 1));
        return product(digits, unit < 0 ? 0 : 1, 1L << (UNIT_BITS * (unit + 1)));
    }

    /**
     * Writes a number so that {@link #size} reads it.
     *
     * @param size the number
     * @return its text in the largest unit of which it is a multiple
     */
    public static String ofSize(long size) {
        long rest = size;
        int unit = -1;
        while (rest != 0 && rest % (1 << UNIT_BITS) == 0 && unit + 1 < SIZE_UNITS.length()) {
            rest >>= UNIT_BITS;
            unit++;
        }
        return unit < 0 ? Long.toString(rest) : rest + SIZE_UNITS.substring(unit, unit + 1);
    }

    /**
     * Reads a duration.
     *
     * @param text digits, and one of the units s, ms, us and ns; without a unit, nanoseconds
     * @return nanoseconds, negative if it has a sign
     * @throws NumberFormatException if it is anything else, or too long
     */
    public static long durationNanos(String text) {
        String digits = text.strip().toLowerCase(Locale.ROOT);
        if (digits.endsWith("ns")) {
            return product(digits, 2, 1);
        }
        if (digits.endsWith("us")) {
            return product(digits, 2, TimeUnit.MICROSECONDS.toNanos(1));
        }
        if (digits.endsWith("ms")) {
            return product(digits, 2, TimeUnit.MILLISECONDS.toNanos(1));
        }
        return digits.endsWith("s") ? product(digits, 1, TimeUnit.SECONDS.toNanos(1)) : product(digits, 0, 1);
    }

    private static long product(String digits, int unitLength, long unit) {
        try {
            return Math.multiplyExact(Long.parseLong(digits.substring(0, digits.length() - unitLength)), unit);
        } catch (ArithmeticException e) {
            throw (NumberFormatException) new NumberFormatException("too large: " + digits).initCause(e);
        }
    }
}
