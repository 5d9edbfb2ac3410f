// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

/**
 * The knowledge about each bit of a number: a tristate number. A bit of the mask is unknown, and then 0 in the value.
 *
 * @param value the bits that are known
 * @param mask the bits that are not
 */
record Bits(long value, long mask) {
    static final Bits UNKNOWN = new Bits(0, -1);

    static Bits constant(long value) {
        return new Bits(value, 0);
    }

    /** The bits that all numbers of an unsigned interval have in common. */
    static Bits between(long min, long max) {
        long different = min ^ max;
        if (different == 0) {
            return constant(min);
        }
        long mask = -1L >>> Long.numberOfLeadingZeros(different);
        return new Bits(min & ~mask, mask);
    }

    boolean contains(long number) {
        return (number & ~mask) == value;
    }

    long max() {
        return value | mask;
    }

    Bits or(Bits other) {
        long ones = value | other.value;
        return new Bits(ones, (mask | other.mask) & ~ones);
    }

    Bits and(Bits other) {
        long ones = value & other.value;
        return new Bits(ones, max() & other.max() & ~ones);
    }

    Bits xor(Bits other) {
        long unknown = mask | other.mask;
        return new Bits((value ^ other.value) & ~unknown, unknown);
    }

    /** A bit of a sum is known if both bits are and the carry is the same in the least and in the largest sum. */
    Bits plus(Bits other) {
        long least = value + other.value;
        long most = max() + other.max();
        // without carries, the two sums differ in the unknown bits only
        long unknown = (least ^ most) | mask | other.mask;
        return new Bits(least & ~unknown, unknown);
    }

    /** As {@link #plus}, with borrows. */
    Bits minus(Bits other) {
        long difference = value - other.value;
        long unknown = ((difference + mask) ^ (difference - other.mask)) | mask | other.mask;
        return new Bits(difference & ~unknown, unknown);
    }

    /** Only the zeros at the end of a product are known. */
    Bits times(Bits other) {
        int zeros = Long.numberOfTrailingZeros(max()) + Long.numberOfTrailingZeros(other.max());
        return zeros >= Long.SIZE ? constant(0) : new Bits(0, -1L << zeros);
    }

    Bits left(int count) {
        return new Bits(value << count, mask << count);
    }

    Bits right(int count) {
        return new Bits(value >>> count, mask >>> count);
    }

    Bits rightSigned(int count) {
        return new Bits(value >> count, mask >> count);
    }

    /** The low bits, with zeros above. */
    Bits truncate(int width) {
        long kept = -1L >>> (Long.SIZE - width);
        return new Bits(value & kept, mask & kept);
    }

    /** The low bits, with copies of the highest of them above. */
    Bits extend(int width) {
        int shift = Long.SIZE - width;
        return left(shift).rightSigned(shift);
    }

    /** The knowledge of both, about numbers that are in both; null if there is none. */
    Bits meet(Bits other) {
        if (((value ^ other.value) & ~mask & ~other.mask) != 0) {
            return null;
        }
        return new Bits(value | other.value, mask & other.mask);
    }

    Bits join(Bits other) {
        long unknown = mask | other.mask | (value ^ other.value);
        return new Bits(value & ~unknown, unknown);
    }

    /** The bits that stay known where others change in a loop: those below the lowest that changes. */
    Bits widen(Bits joined) {
        long changed = joined.mask & ~mask;
        if (changed == 0) {
            return joined;
        }
        long unknown = joined.mask | -Long.lowestOneBit(changed);
        return new Bits(joined.value & ~unknown, unknown);
    }
}
