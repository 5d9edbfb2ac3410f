// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Operation;

/** The operations of arithmetic on intervals. A result that may wrap around is the whole interval. */
final class RangeArithmetic {
    private RangeArithmetic() {}

    static Range compute(Operation operation, Range left, Range right) {
        Range all = Range.all(left);
        Range result = switch (operation) {
            case ADD -> add(left, right, all);
            case SUB -> subtract(left, right, all);
            case MUL -> multiply(left, right, all);
            case DIV -> divide(left, right, all);
            case MOD -> remainder(left, right, all);
            case SDIV -> left.isNatural() && right.isNatural() ? divide(left, right, all) : all;
            case SMOD -> signedRemainder(left, right, all);
            case AND -> all.withUnsigned(0, Range.smaller(left.umax(), right.umax()));
            case OR -> all.withUnsigned(Range.larger(left.umin(), right.umin()), all.umax());
            case LSH, RSH, ARSH -> shift(operation, left, right, all);
            default -> all;
        };
        return result.deduce();
    }

    private static Range add(Range left, Range right, Range all) {
        long umin = left.umin() + right.umin();
        long umax = left.umax() + right.umax();
        boolean isExact = Long.compareUnsigned(umax, left.umax()) >= 0 && Long.compareUnsigned(umax, all.umax()) <= 0;
        return signed(
                isExact ? all.withUnsigned(umin, umax) : all, left.smin(), right.smin(), left.smax(), right.smax());
    }

    private static Range subtract(Range left, Range right, Range all) {
        boolean isExact = Long.compareUnsigned(left.umin(), right.umax()) >= 0;
        Range result = isExact ? all.withUnsigned(left.umin() - right.umax(), left.umax() - right.umin()) : all;
        if (right.smin() == Long.MIN_VALUE) {
            return result;
        }
        return signed(result, left.smin(), -right.smax(), left.smax(), -right.smin());
    }

    /** Sets the signed bounds to two sums, if they do not overflow. */
    private static Range signed(Range result, long min, long minMore, long max, long maxMore) {
        long smin = min + minMore;
        long smax = max + maxMore;
        boolean overflows = ((min ^ smin) & (minMore ^ smin)) < 0 || ((max ^ smax) & (maxMore ^ smax)) < 0;
        Range all = Range.all(result);
        return overflows || smin < all.smin() || smax > all.smax() ? result : result.withSigned(smin, smax);
    }

    private static Range multiply(Range left, Range right, Range all) {
        boolean isExact = Math.unsignedMultiplyHigh(left.umax(), right.umax()) == 0
                && Long.compareUnsigned(left.umax() * right.umax(), all.umax()) <= 0;
        return isExact ? all.withUnsigned(left.umin() * right.umin(), left.umax() * right.umax()) : all;
    }

    private static Range divide(Range left, Range right, Range all) {
        if (right.umin() == 0) {
            // a division by 0 gives 0
            return all.withUnsigned(0, left.umax());
        }
        return all.withUnsigned(
                Long.divideUnsigned(left.umin(), right.umax()), Long.divideUnsigned(left.umax(), right.umin()));
    }

    private static Range remainder(Range left, Range right, Range all) {
        if (right.umin() == 0) {
            // a remainder of 0 is the dividend
            return all.withUnsigned(0, left.umax());
        }
        if (Long.compareUnsigned(left.umax(), right.umin()) < 0) {
            return all.withUnsigned(left.umin(), left.umax());
        }
        return all.withUnsigned(0, Range.smaller(left.umax(), right.umax() - 1));
    }

    private static Range signedRemainder(Range left, Range right, Range all) {
        if (left.isNatural() && right.isNatural()) {
            return remainder(left, right, all);
        }
        // the remainder has the sign of the dividend, and is not farther from 0
        return all.withSigned(Math.min(left.smin(), 0), Math.max(left.smax(), 0));
    }

    private static Range shift(Operation operation, Range left, Range right, Range all) {
        int mask = left.width() - 1;
        boolean isConstant = right.isConstant();
        boolean isSmall = Long.compareUnsigned(right.umax(), mask) <= 0;
        int least = isConstant ? (int) right.umin() & mask : isSmall ? (int) right.umin() : 0;
        int most = isConstant ? least : isSmall ? (int) right.umax() : mask;
        return switch (operation) {
            case RSH -> all.withUnsigned(left.umin() >>> most, left.umax() >>> least);
            case ARSH ->
                all.withSigned(
                        left.smin() >> (left.smin() < 0 ? least : most),
                        left.smax() >> (left.smax() < 0 ? most : least));
            default -> {
                boolean isExact = Long.compareUnsigned(left.umax(), all.umax() >>> most) <= 0;
                yield isExact ? all.withUnsigned(left.umin() << least, left.umax() << most) : all;
            }
        };
    }
}
