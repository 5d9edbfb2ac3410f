// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

/** What a verification may take, in time and in memory. Belongs to one verification. */
final class Budget {
    /** The largest number of steps: instructions that are looked at, and states that are joined. */
    static final int MAX_STEPS = 1_000_000;

    /** The largest number of states that are kept at the same time. */
    static final int MAX_STATES = 20_000;

    private int steps;
    private int states;

    void step(int count) throws UnsafeProgramException {
        steps += count;
        if (steps > MAX_STEPS) {
            throw new UnsafeProgramException(
                    "the program is too complex: it is not verified after " + MAX_STEPS + " steps");
        }
    }

    void keepState() throws UnsafeProgramException {
        states++;
        if (states > MAX_STATES) {
            throw new UnsafeProgramException(
                    "the program is too complex: more than " + MAX_STATES + " places where paths meet");
        }
    }

    void dropStates(int count) {
        states -= count;
    }
}
