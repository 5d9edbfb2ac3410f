// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import java.util.TreeSet;

/** Numbers at which a loop probably ends: where bounds that move stop for a while. Immutable after it was filled. */
final class Thresholds {
    /** So that a loop does not stop too often. */
    private static final int MAX = 64;

    private final TreeSet<Long> numbers = new TreeSet<>();

    /** Adds a constant of the program and its neighbours. */
    void add(long number) {
        if (numbers.size() < MAX) {
            numbers.add(number);
            numbers.add(number == Long.MIN_VALUE ? number : number - 1);
            numbers.add(number == Long.MAX_VALUE ? number : number + 1);
        }
    }

    /** Adds others, as long as there is room for all of them. */
    void addAll(Thresholds others) {
        if (numbers.size() + others.numbers.size() <= MAX) {
            numbers.addAll(others.numbers);
        }
    }

    /** The next threshold that is not larger, of those with the same sign; otherwise the last resort. */
    long floor(long number, long otherwise) {
        Long found = numbers.floor(number);
        return found == null || (found < 0) != (number < 0) || found < otherwise ? otherwise : found;
    }

    /** The next threshold that is not less, of those with the same sign; otherwise the last resort. */
    long ceiling(long number, long otherwise) {
        Long found = numbers.ceiling(number);
        return found == null || (found < 0) != (number < 0) || (otherwise >= 0 && found > otherwise)
                ? otherwise
                : found;
    }
}
