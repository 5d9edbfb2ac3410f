// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.property;

/** Reads system properties that the user sets. A refusal names the property, its value, and the allowed values. */
public final class SystemProperty {
    private SystemProperty() {}

    /**
     * Reads a size. The caller checks its range.
     *
     * @param name of the property
     * @param fallback the value where the property is not set
     * @param allowed the allowed values, for the refusal
     * @return as {@link Quantity#size}
     * @throws IllegalArgumentException if the value is not a size
     */
    public static long size(String name, long fallback, String allowed) {
        String text = System.getProperty(name);
        try {
            return text == null ? fallback : Quantity.size(text);
        } catch (NumberFormatException e) {
            throw refused(name, text, allowed, e);
        }
    }

    /**
     * Reads a duration. The caller checks its range.
     *
     * @param name of the property
     * @param fallback the value where the property is not set, in nanoseconds
     * @param allowed the allowed values, for the refusal
     * @return in nanoseconds, as {@link Quantity#durationNanos}
     * @throws IllegalArgumentException if the value is not a duration
     */
    public static long durationNanos(String name, long fallback, String allowed) {
        String text = System.getProperty(name);
        try {
            return text == null ? fallback : Quantity.durationNanos(text);
        } catch (NumberFormatException e) {
            throw refused(name, text, allowed, e);
        }
    }

    /**
     * The refusal of a value.
     *
     * @param name of the property, also where a setter was called
     * @param value the value
     * @param allowed the allowed values: a range, or a list
     * @return for the caller to throw
     */
    public static IllegalArgumentException refused(String name, Object value, String allowed) {
        return refused(name, value, allowed, null);
    }

    /**
     * The refusal of a value, with its cause.
     *
     * @param name of the property, also where a setter was called
     * @param value the value
     * @param allowed the allowed values: a range, or a list
     * @param cause may be null
     * @return for the caller to throw
     */
    public static IllegalArgumentException refused(String name, Object value, String allowed, Throwable cause) {
        return new IllegalArgumentException(name + " = " + value + "; allowed: " + allowed, cause);
    }
}
