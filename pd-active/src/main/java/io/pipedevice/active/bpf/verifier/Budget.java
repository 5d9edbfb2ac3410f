// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

/** The limits of a verification, in time and in memory. Belongs to one verification. */
final class Budget {
    /** The largest number of steps: instructions that are looked at, and states that are joined, by what these cost. */
    static final int MAX_STEPS = 2_000_000;

    /** The largest size of the states that are kept at the same time, in words of 8 bytes. */
    static final int MAX_WORDS = 5_000_000;

    private int steps;
    private int words;

    void step(int count) throws UnsafeProgramException {
        steps += count;
        if (steps > MAX_STEPS) {
            throw new UnsafeProgramException(
                    "the program is too complex: it is not verified after " + MAX_STEPS + " steps");
        }
    }

    /** A state of some words is kept instead of one of others. */
    void keep(int more, int less) throws UnsafeProgramException {
        words += more - less;
        if (words > MAX_WORDS) {
            throw new UnsafeProgramException("the program is too complex: too many paths meet in it");
        }
    }

    void drop(int less) {
        words -= less;
    }
}
