// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import java.util.Arrays;

/**
 * The iterations of the loops that run. Two variables of the zone belong to each loop: one counts up, and one down,
 * because a zone compares differences only. Belongs to one state.
 */
final class LoopCounters {
    /** The number of loops that are counted at the same time. */
    static final int COUNT = State.COUNTERS / 2;

    private static final int FREE = -1;

    private final Zone zone;

    /** Which loop two variables belong to. */
    private final int[] loops;

    private final Num[] numbers;

    LoopCounters(Zone zone) {
        this.zone = zone;
        loops = new int[COUNT];
        Arrays.fill(loops, FREE);
        numbers = new Num[State.COUNTERS];
        Arrays.fill(numbers, Num.UNKNOWN);
    }

    /** A copy for a copy of the zone. */
    LoopCounters(Zone zone, LoopCounters other) {
        this.zone = zone;
        loops = other.loops.clone();
        numbers = other.numbers.clone();
    }

    /** The counter of a loop; -1 if there is none. */
    int find(int loop) {
        for (int i = 0; i < COUNT; i++) {
            if (loops[i] == loop) {
                return i;
            }
        }
        return -1;
    }

    boolean isUsed(int counter) {
        return loops[counter] != FREE;
    }

    int loop(int counter) {
        return loops[counter];
    }

    /** The variable of a counter that counts up; the one that counts down follows. */
    static int variable(int counter) {
        return State.FIRST_COUNTER + 2 * counter;
    }

    /** The number of a variable, from the first counter on. */
    Num number(int index) {
        return numbers[index];
    }

    void refine(int index, Num number) {
        numbers[index] = number;
    }

    /** Begins to count the iterations of a loop, if there is a counter left. */
    void begin(int loop) {
        int own = find(loop);
        int counter = own >= 0 ? own : find(FREE);
        if (counter >= 0) {
            end(counter);
            loops[counter] = loop;
            numbers[2 * counter] = Num.constant(0);
            numbers[2 * counter + 1] = Num.constant(0);
        }
    }

    /** Counts an iteration. */
    void count(int counter) {
        add(2 * counter, 1);
        add(2 * counter + 1, -1);
    }

    private void add(int index, int step) {
        Num number = numbers[index];
        if (number.smin() == Long.MIN_VALUE || number.smax() == Long.MAX_VALUE) {
            zone.forget(State.FIRST_COUNTER + index);
            numbers[index] = Num.UNKNOWN;
        } else {
            zone.shift(State.FIRST_COUNTER + index, step, step);
            numbers[index] = Num.signed(number.smin() + step, number.smax() + step);
        }
    }

    void end(int counter) {
        loops[counter] = FREE;
        for (int i = 2 * counter; i <= 2 * counter + 1; i++) {
            numbers[i] = Num.UNKNOWN;
            zone.forget(State.FIRST_COUNTER + i);
        }
    }
}
