// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A program's measurements of itself, in its own units. One thread. */
final class Figures {
    private static final double MEGA = 1e6;
    private static final long PHASE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final double FASTER = 1.1;
    private static final int STEADY_PHASES = 2;
    private static final int MOST_PHASES = 8;

    /** Factor for a program that the JVM compiles for minutes. */
    private static final int LARGE = 3;

    /** With fewer operations the hundredth is not significant, and they may take longer. */
    private static final int ENOUGH = 1000;

    private static final long LONG_PHASE_NS = 6 * PHASE_NS;

    private final long start = System.nanoTime();
    private long[] delays = new long[1 << 10];
    private int count;

    /** Repeats an operation until it no longer becomes faster, so that the measurement does not include compilation. */
    static void warmUp(Checks.Check operation) throws Exception {
        warmUp(operation, 1);
    }

    /** The same for a large program. */
    static void warmUpLarge(Checks.Check operation) throws Exception {
        warmUp(operation, LARGE);
    }

    private static void warmUp(Checks.Check operation, int size) throws Exception {
        double reached = 0;
        int steady = 0;
        for (int phases = 0; phases < MOST_PHASES * size && steady < STEADY_PHASES * size; phases++) {
            Figures phase = new Figures();
            double rate = phase.repeat(operation) / phase.seconds();
            // A compiler that pauses in one phase may come back in the next, and many small gains are one.
            boolean faster = rate > reached * FASTER;
            steady = faster ? 0 : steady + 1;
            reached = faster ? rate : reached;
        }
    }

    /** Records the delay of one operation. */
    void delay(long nanos) {
        if (count == delays.length) {
            delays = Arrays.copyOf(delays, 2 * count);
        }
        delays[count++] = nanos;
    }

    /** Times one of many consecutive operations. */
    void time(Checks.Check operation) throws Exception {
        long before = System.nanoTime();
        operation.run();
        delay(System.nanoTime() - before);
    }

    /** Times an operation repeatedly; returns how often. */
    int repeat(Checks.Check operation) throws Exception {
        return repeat(operation, PHASE_NS);
    }

    private int repeat(Checks.Check operation, long nanos) throws Exception {
        do {
            time(operation);
        } while (System.nanoTime() - start < nanos);
        return count;
    }

    /**
     * Like {@link #repeat}, but continues if a phase is too short for the delay of one in a hundred; returns how often.
     */
    int repeatOften(Checks.Check operation) throws Exception {
        repeat(operation);
        while (count < ENOUGH && System.nanoTime() - start < LONG_PHASE_NS) {
            time(operation);
        }
        return count;
    }

    /**
     * Like {@link #repeat}, but continues if a phase is too short for more than a few operations; returns how often.
     */
    int repeatLong(Checks.Check operation) throws Exception {
        return repeat(operation, LONG_PHASE_NS);
    }

    private double seconds() {
        return (double) (System.nanoTime() - start) / TimeUnit.SECONDS.toNanos(1);
    }

    /** Prints the rate of {@code bytes} bytes since the beginning. */
    void printBytes(long bytes) {
        print("rate", bytes / MEGA / seconds());
    }

    /** Prints the rate of {@code operations} operations since the beginning. */
    void printOperations(long operations) {
        print("rate", operations / seconds());
    }

    /** Prints the delay in microseconds that one operation in a hundred exceeds; if there are too few, the longest. */
    void printDelay() {
        Arrays.sort(delays, 0, count);
        if (count < ENOUGH) {
            print("operations", count);
            print("longest", micros(count - 1));
        } else {
            print("p99", micros(count * 99 / 100));
        }
    }

    private double micros(int index) {
        return TimeUnit.NANOSECONDS.toMicros(delays[index]);
    }

    private static void print(String name, double value) {
        System.out.printf(Locale.ROOT, "MEASURED %s=%.1f%n", name, value);
    }
}
