// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Operation;

/**
 * Two numbers of which a condition is known to hold.
 *
 * @param left the first number
 * @param right the second number
 */
record NumberPair(Num left, Num right) {
    /** The condition that holds where another one does not; null for {@link Operation#JSET}, which has none. */
    static Operation opposite(Operation operation) {
        return switch (operation) {
            case JEQ -> Operation.JNE;
            case JNE -> Operation.JEQ;
            case JGT -> Operation.JLE;
            case JLE -> Operation.JGT;
            case JGE -> Operation.JLT;
            case JLT -> Operation.JGE;
            case JSGT -> Operation.JSLE;
            case JSLE -> Operation.JSGT;
            case JSGE -> Operation.JSLT;
            case JSLT -> Operation.JSGE;
            default -> null;
        };
    }

    /** The numbers for which the condition holds; null if there are none. */
    NumberPair assume(Operation condition, int width) {
        return switch (condition) {
            case JEQ -> equal(width);
            case JNE -> unequal(width);
            case JSET -> unequalTo0(width);
            case JLT -> ordered(width, false, true);
            case JLE -> ordered(width, false, false);
            case JSLT -> ordered(width, true, true);
            case JSLE -> ordered(width, true, false);
            case JGT -> swap(swap(this).ordered(width, false, true));
            case JGE -> swap(swap(this).ordered(width, false, false));
            case JSGT -> swap(swap(this).ordered(width, true, true));
            case JSGE -> swap(swap(this).ordered(width, true, false));
            default -> throw new IllegalArgumentException(condition.toString());
        };
    }

    private static NumberPair swap(NumberPair pair) {
        return pair == null ? null : new NumberPair(pair.right, pair.left);
    }

    private static NumberPair of(Num left, Num right) {
        return left == null || right == null ? null : new NumberPair(left, right);
    }

    private NumberPair equal(int width) {
        Num one = left.within(right.range(width));
        Num other = right.within(left.range(width));
        if (one == null || other == null) {
            return null;
        }
        long high = width == 64 ? 0 : -1L << 32;
        return of(
                one.withBits(new Bits(right.bits().value() & ~high, right.bits().mask() | high)),
                other.withBits(new Bits(left.bits().value() & ~high, left.bits().mask() | high)));
    }

    private NumberPair unequal(int width) {
        return of(without(width, left, right), without(width, right, left));
    }

    private static Num without(int width, Num number, Num other) {
        Range excluded = other.range(width);
        if (!excluded.isConstant()) {
            return number;
        }
        Range range = number.range(width);
        long unsigned = excluded.umin();
        long signed = excluded.smin();
        if (range.isConstant() && range.umin() == unsigned) {
            return null;
        }
        return number.within(new Range(
                width,
                range.umin() == unsigned ? unsigned + 1 : range.umin(),
                range.umax() == unsigned ? unsigned - 1 : range.umax(),
                range.smin() == signed ? signed + 1 : range.smin(),
                range.smax() == signed ? signed - 1 : range.smax()));
    }

    /** A common bit: neither is 0, and a mask of one bit says which. */
    private NumberPair unequalTo0(int width) {
        Num zero = Num.constant(0);
        Num one = without(width, left, zero);
        Num other = without(width, right, zero);
        if (one == null || other == null) {
            return null;
        }
        Range mask = right.range(width);
        boolean isOneBit = mask.isConstant() && Long.bitCount(mask.umin()) == 1;
        return of(isOneBit ? one.withBits(new Bits(mask.umin(), ~mask.umin())) : one, other);
    }

    /** No common bit: where a {@link Operation#JSET} is not taken. */
    NumberPair disjoint(int width) {
        long kept = Range.unsignedMax(width);
        return of(
                left.withBits(new Bits(0, ~(right.bits().value() & kept))),
                right.withBits(new Bits(0, ~(left.bits().value() & kept))));
    }

    /** The first number is less than the second one, or equal. */
    private NumberPair ordered(int width, boolean isSigned, boolean isStrict) {
        Range all = Range.all(left.range(width));
        Range low = left.range(width);
        Range high = right.range(width);
        int gap = isStrict ? 1 : 0;
        if (isSigned) {
            if (isStrict && (high.smax() == all.smin() || low.smin() == all.smax())) {
                return null;
            }
            return of(
                    left.within(all.withSigned(all.smin(), high.smax() - gap)),
                    right.within(all.withSigned(low.smin() + gap, all.smax())));
        }
        if (isStrict && (high.umax() == 0 || low.umin() == all.umax())) {
            return null;
        }
        return of(
                left.within(all.withUnsigned(0, high.umax() - gap)),
                right.within(all.withUnsigned(low.umin() + gap, all.umax())));
    }
}
