// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.property.EnumWords;
import io.pipedevice.property.Quantity;
import io.pipedevice.property.SystemProperty;
import java.util.concurrent.TimeUnit;

/** Reads the driver's system properties, and checks their ranges. */
final class DriverProperty {
    private enum Flag {
        TRUE,
        FALSE
    }

    private DriverProperty() {}

    static boolean flag(String name, boolean fallback) {
        return choice(name, fallback ? Flag.TRUE : Flag.FALSE, Flag.class) == Flag.TRUE;
    }

    static <E extends Enum<E>> E choice(String name, E fallback, Class<E> type) {
        String text = System.getProperty(name);
        if (text == null) {
            return fallback;
        }
        E value = EnumWords.parse(type, text);
        if (value == null) {
            throw SystemProperty.refused(name, text, String.join(", ", EnumWords.of(type)));
        }
        return value;
    }

    static long size(String name, long fallback, long min, long max) {
        // A fallback may depend on the machine, and is valid even outside the range.
        return System.getProperty(name) == null
                ? fallback
                : inRange(name, SystemProperty.size(name, fallback, sizes(min, max)), min, max);
    }

    private static String sizes(long min, long max) {
        return Quantity.ofSize(min) + " to " + Quantity.ofSize(max);
    }

    /** A time in nanoseconds, from 0. */
    static long duration(String name, long fallback, long max) {
        return durationInRange(name, SystemProperty.durationNanos(name, fallback, durations(max)), max);
    }

    private static String durations(long max) {
        return "0 to " + TimeUnit.NANOSECONDS.toSeconds(max) + "s, with ns, us, ms or s";
    }

    /**
     * Returns the value if it is in the range. {@code name} is the name of the property, even for a value that a setter
     * received.
     */
    static long inRange(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw SystemProperty.refused(name, value, sizes(min, max));
        }
        return value;
    }

    /** Returns the time in nanoseconds if it is in the range. */
    static long durationInRange(String name, long nanos, long max) {
        if (nanos < 0 || nanos > max) {
            throw SystemProperty.refused(name, nanos + "ns", durations(max));
        }
        return nanos;
    }
}
