// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Arithmetic;
import io.pipedevice.active.bpf.Operation;

/** The operations of arithmetic on the knowledge about numbers. There always is a result ({@link Num#orAny}). */
final class NumberArithmetic {
    private NumberArithmetic() {}

    static Num compute(Operation operation, int width, Num left, Num right) {
        if (left.isConstant() && right.isConstant()) {
            return Num.constant(Arithmetic.compute(operation, width, left.constant(), right.constant()));
        }
        return switch (operation) {
            case LE -> truncate(width, left);
            case BE, BSWAP ->
                left.isConstant()
                        ? Num.constant(Arithmetic.compute(operation, width, left.constant(), 0))
                        : Num.ofWidth(width);
            case MOV -> truncate(width, right);
            case MOVSX8 -> extend(8, width, right);
            case MOVSX16 -> extend(16, width, right);
            case MOVSX32 -> extend(32, width, right);
            case NEG -> of(Operation.SUB, width, Num.constant(0), left);
            default -> of(operation, width, left, right);
        };
    }

    /** The low bits, with zeros above. */
    static Num truncate(int width, Num number) {
        return switch (width) {
            case 64 -> number;
            case 32 -> Num.orAny(Num.zeroExtended(number.low(), number.bits()), width);
            default ->
                Num.orAny(Num.of(Range.ALL_64, Range.ALL_32, number.bits().truncate(width)), width);
        };
    }

    /** Copies the highest of some low bits to those above, and cuts the result off. */
    static Num extend(int from, int width, Num number) {
        Num extended;
        if (number.smin() >= -(1L << (from - 1)) && number.smax() < 1L << (from - 1)) {
            extended = number;
        } else {
            Range low = from == 32 ? number.low() : Range.ALL_32;
            Range wide = from == 32
                    ? Range.ofSigned(64, low.smin(), low.smax())
                    : Range.ofSigned(64, -(1L << (from - 1)), (1L << (from - 1)) - 1);
            extended = Num.orAny(Num.of(wide, low, number.bits().extend(from)), Long.SIZE);
        }
        return truncate(width, extended);
    }

    private static Num of(Operation operation, int width, Num left, Num right) {
        if (width == 32) {
            Range low = RangeArithmetic.compute(operation, left.low(), right.low());
            Bits bits = bits(operation, 32, left.bits(), right.bits(), right.low());
            return Num.orAny(Num.zeroExtended(low, bits), width);
        }
        Range wide = RangeArithmetic.compute(operation, left.wide(), right.wide());
        Range low = switch (operation) {
            // the low bits of the result depend on low bits only
            case ADD, SUB, MUL, AND, OR, XOR -> RangeArithmetic.compute(operation, left.low(), right.low());
            default -> Range.ALL_32;
        };
        return Num.orAny(Num.of(wide, low, bits(operation, 64, left.bits(), right.bits(), right.wide())), width);
    }

    private static Bits bits(Operation operation, int width, Bits left, Bits right, Range count) {
        return switch (operation) {
            case ADD -> left.plus(right);
            case SUB -> left.minus(right);
            case MUL -> left.times(right);
            case AND -> left.and(right);
            case OR -> left.or(right);
            case XOR -> left.xor(right);
            case LSH, RSH, ARSH -> count.isConstant() ? shifted(operation, width, left, count.umin()) : Bits.UNKNOWN;
            default -> Bits.UNKNOWN;
        };
    }

    private static Bits shifted(Operation operation, int width, Bits bits, long amount) {
        int count = (int) amount & (width - 1);
        return switch (operation) {
            case LSH -> bits.left(count);
            case RSH -> bits.truncate(width).right(count);
            default -> bits.extend(width).rightSigned(count);
        };
    }
}
