// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.Locale;
import java.util.OptionalDouble;

/** A figure of a row, with its unit and its format. */
public enum Metric {
    /** Messages per second. */
    MESSAGES("messages/s", Form.THOUSANDS),

    /** 10^9 bytes of payload per second. */
    GIGABYTES("GB/s", Form.SIGNIFICANT),

    /** CPU seconds of all processes per 10^9 bytes of payload. */
    CPU("CPU s/GB", Form.SIGNIFICANT),

    /** The programs' part of it. */
    CPU_PROGRAMS("CPU s/GB", Form.SIGNIFICANT),

    /** The driver's part of it. */
    CPU_DRIVER("CPU s/GB", Form.SIGNIFICANT),

    /** The same of the kernel's threads for soft interrupts, which is not a part of it. */
    CPU_KERNEL("CPU s/GB", Form.SIGNIFICANT),

    /** Nanoseconds of a round trip, or of one connection from its beginning to its end: the mean. */
    MEAN("us", Form.SIGNIFICANT, 1000),

    /** The median. */
    P50("us", Form.SIGNIFICANT, 1000),

    /** One in a hundred takes longer. */
    P99("us", Form.SIGNIFICANT, 1000),

    /** One in a thousand takes longer. */
    P999("us", Form.SIGNIFICANT, 1000),

    /** Nanoseconds of the call that connects: the median. */
    CONNECT_P50("us", Form.SIGNIFICANT, 1000),

    /** One in a hundred takes longer. */
    CONNECT_P99("us", Form.SIGNIFICANT, 1000),

    /** Connections per second. */
    CONNECTIONS("connections/s", Form.THOUSANDS),

    /** Round trips per second, with few connections open. */
    ECHOES_FEW("echoes/s", Form.THOUSANDS),

    /** Round trips per second, with many connections open. */
    ECHOES_MANY("echoes/s", Form.THOUSANDS),

    /** Round trips per second, for a row with one such figure. */
    ECHOES("echoes/s", Form.THOUSANDS),

    /** Connections that a JVM makes in its first second. */
    FIRST_SECOND("connections", Form.THOUSANDS),

    /** Connections that a JVM makes in its second second. */
    SECOND_SECOND("connections", Form.THOUSANDS),

    /** Connections that a JVM makes in its third second. */
    THIRD_SECOND("connections", Form.THOUSANDS),

    /** Connections that a JVM makes in these three seconds. */
    FIRST_SECONDS("connections", Form.THOUSANDS),

    /** CPU seconds of a JVM that opens a selector and ends. */
    CPU_SELECTOR("CPU ms", Form.WHOLE, 0.001),

    /** CPU seconds of a JVM that connects and ends. */
    CPU_CONNECT("CPU ms", Form.WHOLE, 0.001),

    /** Seconds of the first connection of a JVM, with a byte each way. */
    FIRST_CONNECT("ms", Form.WHOLE, 0.001),

    /** Seconds until a chain of processes has answered all requests, or a cluster has done its job. */
    COMPLETION("ms", Form.TENTHS, 0.001),

    /** The part of them in which data that were written before are read. */
    READ_PHASE("ms", Form.WHOLE, 0.001),

    /** 10^9 bytes that are read in it. */
    SHUFFLED("GB", Form.SIGNIFICANT),

    /** The part of them that comes from another process. */
    SHUFFLED_REMOTE("GB", Form.SIGNIFICANT),

    /** The share of the read phase in which its threads have nothing to do but wait for data. */
    DATA_WAIT("%", Form.TENTHS, 0.01),

    /** CPU seconds of all processes until a chain of processes has answered all requests. */
    CPU_COMPLETION("CPU ms", Form.TENTHS, 0.001),

    /** CPU seconds of all processes in a second. */
    CORES("cores", Form.HUNDREDTHS),

    /** The programs' part of it. */
    CORES_PROGRAMS("cores", Form.HUNDREDTHS),

    /** The driver's part of it. */
    CORES_DRIVER("cores", Form.HUNDREDTHS),

    /** The same of the kernel's threads for soft interrupts, which is not a part of it. */
    CORES_KERNEL("cores", Form.HUNDREDTHS),

    /** The rate, in parts of the limit that a driver has for it. */
    OF_LIMIT("of the limit", Form.THOUSANDTHS),

    /** Jain's index of the bytes of several connections: 1 if all have the same share. */
    JAIN("Jain's index", Form.THOUSANDTHS),

    /** Standard deviation of the rates of several connections, in bytes per second. */
    DEVIATION("Gbit/s", Form.SIGNIFICANT, 1e9 / 8),

    /** Bytes of memory of a connection. */
    MEMORY("KB", Form.TENTHS, 1024),

    /** The private part of it. */
    MEMORY_PROCESSES("KB", Form.TENTHS, 1024),

    /** The part of it on the heap. */
    MEMORY_HEAP("KB", Form.TENTHS, 1024),

    /** The shared part of it. */
    MEMORY_SHARED("KB", Form.TENTHS, 1024),

    /** The kernel's part of it. */
    MEMORY_KERNEL("KB", Form.TENTHS, 1024),

    /** Share of one processor. */
    IDLE_CPU("% of a processor", Form.HUNDREDTHS, 0.01),

    /** Bytes of heap of all processes for each message. */
    ALLOCATED("bytes/message", Form.HUNDREDTHS),

    /** 1000ths of a system call of all processes for each message. */
    SYSTEM_CALLS("system calls/1000 messages", Form.HUNDREDTHS),

    /** Nanoseconds that a cache line takes from one processor to another and back, just before the row was measured. */
    CACHE_LINE("ns", Form.WHOLE);

    /** The number of digits of a figure. */
    private enum Form {
        THOUSANDS("%,.0f"),
        WHOLE("%.0f"),
        TENTHS("%.1f"),
        HUNDREDTHS("%,.2f"),
        THOUSANDTHS("%.3f"),
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

    /**
     * A figure in {@link #unit}.
     *
     * @param figure the figure
     * @return its digits; a dash if there is none
     */
    public String text(OptionalDouble figure) {
        return figure.isEmpty() ? "-" : form.text(figure.getAsDouble() / one);
    }

    /**
     * The unit of {@link #text}.
     *
     * @return the unit
     */
    public String unit() {
        return unit;
    }
}
