// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.Locale;
import java.util.OptionalDouble;

/** A figure of a row, with its unit and its format. */
enum Metric {
    /** Messages per second. */
    MESSAGES("messages/s", Form.THOUSANDS),

    /** 10^9 bytes of payload per second. */
    GIGABYTES("GB/s", Form.SIGNIFICANT),

    /** CPU seconds of all processes per 10^9 bytes of payload. */
    CPU("CPU s/GB", Form.SIGNIFICANT),

    /** Nanoseconds of a round trip, or of one connection from its beginning to its end. */
    P50("us", Form.SIGNIFICANT, 1000),
    P99("us", Form.SIGNIFICANT, 1000),
    P999("us", Form.SIGNIFICANT, 1000),

    /** Connections per second. */
    CONNECTIONS("connections/s", Form.THOUSANDS),

    /** Round trips per second, with few connections open and with many. */
    ECHOES_FEW("echoes/s", Form.THOUSANDS),
    ECHOES_MANY("echoes/s", Form.THOUSANDS),

    /** Round trips per second, for a row with one such figure. */
    ECHOES("echoes/s", Form.THOUSANDS),

    /** Connections that a JVM makes in each of its first seconds, and in all of them. */
    FIRST_SECOND("connections", Form.THOUSANDS),
    SECOND_SECOND("connections", Form.THOUSANDS),
    THIRD_SECOND("connections", Form.THOUSANDS),
    FIRST_SECONDS("connections", Form.THOUSANDS),

    /** CPU seconds of a JVM that opens a selector and ends, and of one that connects and ends. */
    CPU_SELECTOR("CPU ms", Form.WHOLE, 0.001),
    CPU_CONNECT("CPU ms", Form.WHOLE, 0.001),

    /** Bytes of memory of a connection: the total, and its parts. */
    MEMORY("KB", Form.TENTHS, 1024),
    MEMORY_PROCESSES("KB", Form.TENTHS, 1024),
    MEMORY_HEAP("KB", Form.TENTHS, 1024),
    MEMORY_SHARED("KB", Form.TENTHS, 1024),
    MEMORY_KERNEL("KB", Form.TENTHS, 1024),

    /** Share of one processor. */
    IDLE_CPU("% of a processor", Form.HUNDREDTHS, 0.01),

    /** Bytes of heap, and 1000ths of a system call, of all processes for each message. */
    ALLOCATED("bytes/message", Form.HUNDREDTHS),
    SYSTEM_CALLS("system calls/1000 messages", Form.HUNDREDTHS),

    /** Nanoseconds that a cache line takes from one processor to another and back, just before the row was measured. */
    CACHE_LINE("ns", Form.WHOLE);

    /** The number of digits of a figure. */
    private enum Form {
        THOUSANDS("%,.0f"),
        WHOLE("%.0f"),
        TENTHS("%.1f"),
        HUNDREDTHS("%,.2f"),
        /** As {@link Numbers#significant}. */
        SIGNIFICANT(null);

        private final String format;

        Form(String format) {
            this.format = format;
        }

        String text(double value) {
            return format == null ? Numbers.significant(value) : String.format(Locale.ROOT, format, value);
        }
    }

    private final String unit;
    private final Form form;

    /** The value of one unit, in the figures. */
    private final double one;

    Metric(String unit, Form form) {
        this(unit, form, 1);
    }

    Metric(String unit, Form form, double one) {
        this.unit = unit;
        this.form = form;
        this.one = one;
    }

    /** A figure in {@link #unit}; a dash if there is none. */
    String text(OptionalDouble figure) {
        return figure.isEmpty() ? "-" : form.text(figure.getAsDouble() / one);
    }

    /** The unit as text. */
    String unit() {
        return unit;
    }
}
