// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import org.agrona.SystemUtil;

/** Reads the driver's system properties, and makes the message for a value that is not allowed. */
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
            throw new IllegalArgumentException(
                    name + " must be one of " + String.join(", ", EnumWords.of(type)) + ": " + text);
        }
        return value;
    }

    static long size(String name, long fallback, long min, long max) {
        String text = System.getProperty(name);
        if (text == null) {
            return fallback;
        }
        try {
            return inRange(name, SystemUtil.parseSize(name, text), min, max);
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                    name + " must be a number from " + min + " to " + max + ", with k, m or g: " + text, e);
        }
    }

    /** A time in nanoseconds. */
    static long duration(String name, long fallback, long max) {
        String text = System.getProperty(name);
        if (text == null) {
            return fallback;
        }
        try {
            return inRange(name, SystemUtil.parseDuration(name, text), 0, max);
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException(name + " must be a time with ns, us, ms or s: " + text, e);
        }
    }

    /**
     * Returns the value if it is allowed. {@code name} is the name of the property, even for a value that a setter
     * received.
     */
    static long inRange(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be from " + min + " to " + max + ": " + value);
        }
        return value;
    }
}
