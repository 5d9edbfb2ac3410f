// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

/**
 * An interval of numbers of 32 or 64 bits, both as unsigned and as signed ones. Unsigned numbers of 32 bits are
 * zero-extended, signed ones are sign-extended.
 *
 * @param width 32 or 64
 * @param umin the least unsigned number
 * @param umax the largest unsigned number
 * @param smin the least signed number
 * @param smax the largest signed number
 */
record Range(int width, long umin, long umax, long smin, long smax) {
    static final Range ALL_64 = all(64);
    static final Range ALL_32 = all(32);

    private static Range all(int width) {
        return new Range(width, 0, unsignedMax(width), signedMin(width), signedMax(width));
    }

    static Range all(Range like) {
        return like.width == 64 ? ALL_64 : ALL_32;
    }

    static long unsignedMax(int width) {
        return -1L >>> (Long.SIZE - width);
    }

    static long signedMax(int width) {
        return unsignedMax(width) >>> 1;
    }

    static long signedMin(int width) {
        return -signedMax(width) - 1;
    }

    /** The same bits, as the signed bounds have them. */
    long signed(long number) {
        return width == 64 ? number : (int) number;
    }

    /** The same bits, as the unsigned bounds have them. */
    long unsigned(long number) {
        return number & unsignedMax(width);
    }

    static Range ofUnsigned(int width, long min, long max) {
        return new Range(width, min, max, signedMin(width), signedMax(width)).deduce();
    }

    static Range ofSigned(int width, long min, long max) {
        return new Range(width, 0, unsignedMax(width), min, max).deduce();
    }

    static Range constant(int width, long number) {
        long unsigned = number & unsignedMax(width);
        long signed = width == 64 ? number : (int) number;
        return new Range(width, unsigned, unsigned, signed, signed);
    }

    boolean isConstant() {
        return umin == umax;
    }

    boolean isEmpty() {
        return Long.compareUnsigned(umin, umax) > 0 || smin > smax;
    }

    /** Whether no number is negative as a signed one, so that both orders are the same. */
    boolean isNatural() {
        return smin >= 0;
    }

    boolean contains(long number) {
        long unsigned = unsigned(number);
        long signed = signed(number);
        return Long.compareUnsigned(umin, unsigned) <= 0
                && Long.compareUnsigned(unsigned, umax) <= 0
                && smin <= signed
                && signed <= smax;
    }

    /** Lets the signed bounds and the unsigned ones improve each other. The result may be empty. */
    Range deduce() {
        Range one = signIsKnown(smin, smax)
                ? withUnsigned(larger(umin, unsigned(smin)), smaller(umax, unsigned(smax)))
                : this;
        long low = signed(one.umin);
        long high = signed(one.umax);
        return signIsKnown(low, high) ? one.withSigned(Math.max(smin, low), Math.min(smax, high)) : one;
    }

    private static boolean signIsKnown(long low, long high) {
        return (low < 0) == (high < 0);
    }

    Range withUnsigned(long low, long high) {
        return new Range(width, low, high, smin, smax);
    }

    Range withSigned(long low, long high) {
        return new Range(width, umin, umax, low, high);
    }

    Range meet(Range other) {
        return new Range(
                        width,
                        larger(umin, other.umin),
                        smaller(umax, other.umax),
                        Math.max(smin, other.smin),
                        Math.min(smax, other.smax))
                .deduce();
    }

    Range join(Range other) {
        return new Range(
                width,
                smaller(umin, other.umin),
                larger(umax, other.umax),
                Math.min(smin, other.smin),
                Math.max(smax, other.smax));
    }

    /** Moves each bound that {@code joined} has moved on to the next threshold. */
    Range widen(Range joined, Thresholds thresholds) {
        Range all = all(this);
        return new Range(
                width,
                joined.umin == umin ? umin : thresholds.floor(joined.umin, all.umin),
                joined.umax == umax ? umax : thresholds.ceiling(joined.umax, all.umax),
                joined.smin == smin ? smin : thresholds.floor(joined.smin, all.smin),
                joined.smax == smax ? smax : thresholds.ceiling(joined.smax, all.smax));
    }

    static long larger(long one, long other) {
        return Long.compareUnsigned(one, other) >= 0 ? one : other;
    }

    static long smaller(long one, long other) {
        return Long.compareUnsigned(one, other) <= 0 ? one : other;
    }
}
