// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.linux.ThreadClock;
import java.util.concurrent.TimeUnit;

/** The limits of a verification, in processor time, in steps and in memory. Belongs to one verification. */
final class Budget {
    /** The largest number of steps: instructions that are looked at, and states that are joined, by what these cost. */
    static final int MAX_STEPS = 2_000_000;

    /** The most processor time, for all attempts together, of a program with more than {@link #YOUNG_STEPS} steps. */
    static final long MAX_MS = 2000;

    /**
     * A JVM that has not compiled this code yet takes twenty times as long for the same steps, also because the kernel
     * fills its heap's pages with zeros: a lock-free insertion into a hash table, 100,000 steps, took 0.06 s, and the
     * first one 1.1 s. So this many steps and pieces of other work, of all attempts together, have more time.
     */
    static final int YOUNG_STEPS = 200_000;

    /** The most processor time, for all attempts together, of a program with at most {@link #YOUNG_STEPS} steps. */
    static final long YOUNG_MS = 5000;

    /** Steps between two looks at the clock. */
    private static final int LOOK_STEPS = 64;

    /** The largest size of the states that are kept at the same time, in words of 8 bytes. */
    private static final long MOST_WORDS = 5_000_000;

    /** The states take at most this part of the heap. */
    private static final int HEAP_PART = 16;

    private final ThreadClock clock = new ThreadClock();
    private final long maxMs;
    private final long youngMs;
    private final long startNs = clock.cpuNs();
    private final long maxWords = Math.min(MOST_WORDS, Runtime.getRuntime().maxMemory() / HEAP_PART / Long.BYTES);
    private int steps;

    /** Steps of earlier attempts, and whatever else was done, in all attempts. */
    private long others;

    private int unlooked;
    private long words;

    /** Begins. */
    Budget() {
        this(MAX_MS, YOUNG_MS);
    }

    /** Begins. Tests choose other times than {@link #MAX_MS} and {@link #YOUNG_MS}. */
    Budget(long maxMs, long youngMs) {
        this.maxMs = maxMs;
        this.youngMs = youngMs;
    }

    /** Begins another attempt, within the same time. */
    void again() {
        others += steps;
        steps = 0;
        words = 0;
    }

    void step(int count) throws UnsafeProgramException {
        steps += count;
        if (steps > MAX_STEPS) {
            throw new UnsafeProgramException(
                    "the program is too complex: it is not verified after " + MAX_STEPS + " steps");
        }
        look();
    }

    /** Something is done that is not counted, but takes time. */
    void work() throws UnsafeProgramException {
        others++;
        look();
    }

    private void look() throws UnsafeProgramException {
        if (++unlooked >= LOOK_STEPS) {
            unlooked = 0;
            long mostMs = others + steps <= YOUNG_STEPS ? youngMs : maxMs;
            if (clock.cpuNs() - startNs > TimeUnit.MILLISECONDS.toNanos(mostMs)) {
                throw new UnsafeProgramException(
                        "the program is too complex: it is not verified after " + mostMs + " ms of processor time");
            }
        }
    }

    /** A state of some words is kept instead of one of others. */
    void keep(int more, int less) throws UnsafeProgramException {
        words += more - less;
        if (words > maxWords) {
            throw new UnsafeProgramException("the program is too complex: too many paths meet in it");
        }
    }

    void drop(int less) {
        words -= less;
    }
}
