// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What a program measures of itself, in its own measure. One thread. */
final class Figures {
    private static final double MEGA = 1e6;
    private static final long PHASE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final double FASTER = 1.1;
    private static final int MOST_PHASES = 6;

    private final long start = System.nanoTime();
    private long[] delays = new long[1 << 10];
    private int count;

    /** Does it beforehand, for as long as it becomes faster: what is measured is not how fast a JVM compiles. */
    static void warmUp(Checks.Check operation) throws Exception {
        double rate = 0;
        double before;
        int phases = 0;
        do {
            before = rate;
            Figures phase = new Figures();
            rate = phase.repeat(operation) / phase.seconds();
            phases++;
        } while (rate > before * FASTER && phases < MOST_PHASES);
    }

    /** One operation that took so long. */
    void delay(long nanos) {
        if (count == delays.length) {
            delays = Arrays.copyOf(delays, 2 * count);
        }
        delays[count++] = nanos;
    }

    /** One of many operations, one after the other. */
    void time(Checks.Check operation) throws Exception {
        long before = System.nanoTime();
        operation.run();
        delay(System.nanoTime() - before);
    }

    /** Times an operation again and again; how often. */
    int repeat(Checks.Check operation) throws Exception {
        do {
            time(operation);
        } while (System.nanoTime() - start < PHASE_NS);
        return count;
    }

    private double seconds() {
        return (double) (System.nanoTime() - start) / TimeUnit.SECONDS.toNanos(1);
    }

    /** Prints what so many bytes make since the beginning. */
    void printBytes(long bytes) {
        print("rate", bytes / MEGA / seconds());
    }

    /** Prints what so many operations make since the beginning. */
    void printOperations(long operations) {
        print("rate", operations / seconds());
    }

    /** Prints the delay in microseconds that one operation of a hundred exceeds. */
    void printDelay() {
        Arrays.sort(delays, 0, count);
        print("p99", (double) TimeUnit.NANOSECONDS.toMicros(delays[count * 99 / 100]));
    }

    private static void print(String name, double value) {
        System.out.printf(Locale.ROOT, "MEASURED %s=%.1f%n", name, value);
    }
}
