// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.property.EnumWords;
import io.pipedevice.property.Quantity;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The values that an option may have. Immutable. */
interface OptionValues {
    /**
     * Reads a value as users write it. Returns null, or throws a {@link NumberFormatException}, if it is none. A number
     * may still be out of range.
     */
    Object parse(String text);

    /** The allowed values: a range, or a list. */
    default String allowed() {
        return String.join(", ", words());
    }

    /** Whether a value, of the type that {@link #parse} returns, is in the range. */
    default boolean include(Object value) {
        return true;
    }

    /** The allowed values, if they are a few words. */
    default List<String> words() {
        return List.of();
    }

    /** A value for messages. */
    default String text(Object value) {
        return String.valueOf(value);
    }

    /** Numbers, with k, m or g: a {@link Long}. */
    record Numbers(long min, long max) implements OptionValues {
        @Override
        public Object parse(String text) {
            return Quantity.size(text);
        }

        @Override
        public boolean include(Object value) {
            return (long) value >= min && (long) value <= max;
        }

        @Override
        public String allowed() {
            return Quantity.ofSize(min) + " to " + Quantity.ofSize(max);
        }
    }

    /** The powers of two of a range: a {@link Long}. */
    record PowersOfTwo(Numbers range) implements OptionValues {
        @Override
        public Object parse(String text) {
            return range.parse(text);
        }

        @Override
        public boolean include(Object value) {
            return range.include(value) && Long.bitCount((long) value) == 1;
        }

        @Override
        public String allowed() {
            return "powers of two from " + range.allowed();
        }
    }

    /** Times from 0: a {@link Long} in nanoseconds. */
    record Times(long maxSeconds) implements OptionValues {
        @Override
        public Object parse(String text) {
            return Quantity.durationNanos(text);
        }

        @Override
        public boolean include(Object value) {
            return (long) value >= 0 && (long) value <= TimeUnit.SECONDS.toNanos(maxSeconds);
        }

        @Override
        public String allowed() {
            return "0 to " + maxSeconds + "s, with ns, us, ms or s";
        }

        @Override
        public String text(Object value) {
            return value + "ns";
        }
    }

    /** The constants of an enumeration. */
    record Words<E extends Enum<E>>(Class<E> type) implements OptionValues {
        @Override
        public Object parse(String text) {
            return EnumWords.parse(type, text);
        }

        @Override
        public List<String> words() {
            return EnumWords.of(type);
        }
    }

    /** A {@link Boolean}. */
    record Flags() implements OptionValues {
        @Override
        public Object parse(String text) {
            Boolean value = Boolean.valueOf(text);
            return value.toString().equalsIgnoreCase(text) ? value : null;
        }

        @Override
        public List<String> words() {
            return List.of("true", "false");
        }
    }

    /** Any text: its user checks it. */
    record AnyText(String allowed) implements OptionValues {
        @Override
        public Object parse(String text) {
            return text;
        }
    }
}
