// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import java.util.Arrays;

/**
 * Bounds of differences between variables, each of which is a signed number of 64 bits: a difference-bound matrix. It
 * holds only what the intervals of the variables do not say already. Belongs to one state.
 */
final class Zone {
    /** The number of variables. */
    static final int VARIABLES = 32;

    /** No bound. */
    static final long NONE = Long.MAX_VALUE;

    /** Bounds that are farther from 0 are forgotten or weakened, so that sums cannot overflow. */
    private static final long LIMIT = 1L << 50;

    /** {@code bounds[a * VARIABLES + b]} is the largest value of a - b. Packed, it has the active variables only. */
    private long[] bounds;

    private boolean isPacked;

    /** The variables that have bounds, a bit for each; perhaps some that have none any more. */
    private int active;

    Zone() {
        bounds = new long[VARIABLES * VARIABLES];
        Arrays.fill(bounds, NONE);
    }

    private Zone(Zone other) {
        active = other.active;
        bounds = other.isPacked ? unpacked(other.bounds, active) : other.bounds.clone();
    }

    private static long[] unpacked(long[] packed, int active) {
        long[] result = new long[VARIABLES * VARIABLES];
        Arrays.fill(result, NONE);
        int at = 0;
        for (int rows = active; rows != 0; rows &= rows - 1) {
            int row = Integer.numberOfTrailingZeros(rows) * VARIABLES;
            for (int columns = active; columns != 0; columns &= columns - 1) {
                result[row + Integer.numberOfTrailingZeros(columns)] = packed[at++];
            }
        }
        return result;
    }

    /** Takes less memory, and can only be copied from now on. Returns how many words it has. */
    int pack() {
        if (!isPacked) {
            long[] packed = new long[Integer.bitCount(active) * Integer.bitCount(active)];
            int at = 0;
            for (int rows = active; rows != 0; rows &= rows - 1) {
                int row = Integer.numberOfTrailingZeros(rows) * VARIABLES;
                for (int columns = active; columns != 0; columns &= columns - 1) {
                    packed[at++] = bounds[row + Integer.numberOfTrailingZeros(columns)];
                }
            }
            bounds = packed;
            isPacked = true;
        }
        return bounds.length;
    }

    Zone copy() {
        return new Zone(this);
    }

    void clear() {
        Arrays.fill(bounds, NONE);
        active = 0;
    }

    int active() {
        return active;
    }

    boolean isActive(int variable) {
        return (active & 1 << variable) != 0;
    }

    /** The largest value of {@code a - b}, or {@link #NONE}. */
    long bound(int a, int b) {
        return a == b ? 0 : bounds[a * VARIABLES + b];
    }

    private static long clamped(long bound) {
        return bound > LIMIT ? NONE : Math.max(bound, -LIMIT);
    }

    private static long sum(long bound, long more) {
        return bound == NONE || more > LIMIT ? NONE : clamped(bound + Math.max(more, -LIMIT));
    }

    /** Sets a bound without consequences for others. */
    void set(int a, int b, long bound) {
        long value = bound == NONE ? NONE : clamped(bound);
        bounds[a * VARIABLES + b] = value;
        if (value != NONE) {
            active |= 1 << a | 1 << b;
        }
    }

    void forget(int variable) {
        if (!isActive(variable)) {
            return;
        }
        for (int rest = active; rest != 0; rest &= rest - 1) {
            int other = Integer.numberOfTrailingZeros(rest);
            bounds[variable * VARIABLES + other] = NONE;
            bounds[other * VARIABLES + variable] = NONE;
        }
        active &= ~(1 << variable);
    }

    /** Makes a variable equal to another one. */
    void assign(int variable, int source) {
        if (variable == source) {
            return;
        }
        forget(variable);
        for (int rest = active & ~(1 << source); rest != 0; rest &= rest - 1) {
            int other = Integer.numberOfTrailingZeros(rest);
            set(variable, other, bound(source, other));
            set(other, variable, bound(other, source));
        }
        set(variable, source, 0);
        set(source, variable, 0);
    }

    /** Adds a number of an interval to a variable, without an overflow. */
    void shift(int variable, long least, long most) {
        if (!isActive(variable)) {
            return;
        }
        boolean hasLeast = least > -LIMIT && least < LIMIT;
        for (int rest = active & ~(1 << variable); rest != 0; rest &= rest - 1) {
            int other = Integer.numberOfTrailingZeros(rest);
            int up = variable * VARIABLES + other;
            int down = other * VARIABLES + variable;
            bounds[up] = sum(bounds[up], most);
            bounds[down] = hasLeast ? sum(bounds[down], -least) : NONE;
        }
    }

    /** Makes a variable less by an unknown amount: only what it is at most stays known. */
    void decrease(int variable) {
        for (int rest = active; rest != 0; rest &= rest - 1) {
            bounds[Integer.numberOfTrailingZeros(rest) * VARIABLES + variable] = NONE;
        }
    }

    /**
     * Adds the bound {@code a - b <= most}, and what follows from it.
     *
     * @return whether that is possible
     */
    boolean assume(int a, int b, long most) {
        if (a == b) {
            return most >= 0;
        }
        if (most > LIMIT) {
            return true;
        }
        long back = bound(b, a);
        if (back != NONE && back + Math.max(most, -LIMIT) < 0) {
            return false;
        }
        if (bound(a, b) <= most) {
            return true;
        }
        set(a, b, most);
        for (int left = active; left != 0; left &= left - 1) {
            int x = Integer.numberOfTrailingZeros(left);
            long first = sum(bound(x, a), most);
            if (first == NONE) {
                continue;
            }
            for (int right = active; right != 0; right &= right - 1) {
                int y = Integer.numberOfTrailingZeros(right);
                long all = sum(first, bound(b, y));
                if (x != y && all < bound(x, y)) {
                    set(x, y, all);
                }
            }
        }
        return true;
    }
}
