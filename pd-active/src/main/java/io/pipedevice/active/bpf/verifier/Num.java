// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

/**
 * The knowledge about a number: the interval of all 64 bits, that of the low 32 bits, and its bits. Each improves the
 * others.
 *
 * @param wide all bits
 * @param low the low 32 bits
 * @param bits the bits
 */
record Num(Range wide, Range low, Bits bits) implements Value {
    static final Num UNKNOWN = new Num(Range.ALL_64, Range.ALL_32, Bits.UNKNOWN);

    private static final int ROUNDS = 2;
    private static final long LOW_32 = 0xffff_ffffL;

    static Num constant(long number) {
        return new Num(Range.constant(64, number), Range.constant(32, number), Bits.constant(number));
    }

    static Num unsigned(long min, long max) {
        return of(Range.ofUnsigned(64, min, max), Range.ALL_32, Bits.UNKNOWN);
    }

    static Num signed(long min, long max) {
        return of(Range.ofSigned(64, min, max), Range.ALL_32, Bits.UNKNOWN);
    }

    /** All numbers that fit into so many bits. */
    static Num ofWidth(int width) {
        return width == 64 ? UNKNOWN : unsigned(0, Range.unsignedMax(width));
    }

    /** The low 32 bits, with zeros above. */
    static Num zeroExtended(Range low, Bits bits) {
        return of(new Range(64, low.umin(), low.umax(), low.umin(), low.umax()), low, bits.truncate(32));
    }

    /**
     * A number, or any number of a width if it is null: what is known about operands may be contradictory, and then so
     * is the result. No run comes there, so that any number is right.
     */
    static Num orAny(Num number, int width) {
        return number == null ? ofWidth(width) : number;
    }

    /** The numbers that fit to all three; null if there is none. */
    static Num of(Range wide, Range low, Bits bits) {
        Range w = wide.deduce();
        Range l = low.deduce();
        Bits b = bits;
        for (int round = 0; round < ROUNDS; round++) {
            if (w.isEmpty() || l.isEmpty()) {
                return null;
            }
            w = w.meet(Range.ofUnsigned(64, b.value(), b.max()));
            l = l.meet(Range.ofUnsigned(32, b.value() & LOW_32, b.max() & LOW_32));
            l = lowOf(w, l);
            w = wideOf(w, l);
            if (w.isEmpty() || l.isEmpty()) {
                return null;
            }
            b = b.meet(Bits.between(w.umin(), w.umax()));
            Bits lowBits = Bits.between(l.umin(), l.umax());
            b = b == null ? null : b.meet(new Bits(lowBits.value(), lowBits.mask() | ~LOW_32));
            if (b == null) {
                return null;
            }
        }
        return new Num(w, l, b);
    }

    private static Range lowOf(Range w, Range l) {
        Range result = l;
        if (w.umin() >>> 32 == w.umax() >>> 32) {
            result = result.meet(Range.ofUnsigned(32, w.umin() & LOW_32, w.umax() & LOW_32));
        }
        if (w.smin() == (int) w.smin() && w.smax() == (int) w.smax()) {
            result = result.meet(Range.ofSigned(32, w.smin(), w.smax()));
        }
        return result;
    }

    private static Range wideOf(Range w, Range l) {
        Range result = w;
        if (w.umin() >>> 32 == w.umax() >>> 32) {
            long high = w.umin() & ~LOW_32;
            result = result.meet(Range.ofUnsigned(64, high | l.umin(), high | l.umax()));
        }
        if (w.smin() == (int) w.smin() && w.smax() == (int) w.smax()) {
            result = result.meet(Range.ofSigned(64, l.smin(), l.smax()));
        }
        return result;
    }

    boolean isConstant() {
        return wide.isConstant();
    }

    /** The number, if there is only one. */
    long constant() {
        return wide.umin();
    }

    boolean contains(long number) {
        return wide.contains(number) && low.contains(number) && bits.contains(number);
    }

    long smin() {
        return wide.smin();
    }

    long smax() {
        return wide.smax();
    }

    /** Whether all are numbers of 32 bits, zero-extended. */
    boolean fitsUnsigned() {
        return Long.compareUnsigned(wide.umax(), LOW_32) <= 0;
    }

    /** Whether all are numbers of 32 bits, sign-extended. */
    boolean fitsSigned() {
        return smin() >= Integer.MIN_VALUE && smax() <= Integer.MAX_VALUE;
    }

    /** These numbers as far as they are in an interval; null if none is. */
    Num within(Range range) {
        return range.width() == 64 ? of(wide.meet(range), low, bits) : of(wide, low.meet(range), bits);
    }

    Num withinSigned(long min, long max) {
        return min <= smin() && max >= smax() ? this : of(wide.meet(new Range(64, 0, -1, min, max)), low, bits);
    }

    Num withBits(Bits known) {
        Bits both = bits.meet(known);
        return both == null ? null : of(wide, low, both);
    }

    Range range(int width) {
        return width == 64 ? wide : low;
    }

    Num join(Num other) {
        return equals(other)
                ? this
                : orAny(of(wide.join(other.wide), low.join(other.low), bits.join(other.bits)), Long.SIZE);
    }

    /** A number that contains both and that a loop changes only a few times. */
    Num widen(Num other, Thresholds thresholds) {
        Num joined = join(other);
        if (joined.equals(this)) {
            return this;
        }
        Range wider = wide.widen(joined.wide, thresholds);
        Range widerLow = joined.low.equals(low) ? low : low.widen(joined.low, thresholds);
        return orAny(of(wider, widerLow, bits.widen(joined.bits)), Long.SIZE);
    }

    /** For messages: the interval that says more. */
    String text() {
        if (isConstant()) {
            return Long.toString(constant());
        }
        String range = wide.equals(Range.ALL_64)
                ? ""
                : wide.isNatural() || wide.umax() == -1
                        ? bound(wide.smin(), Long.MIN_VALUE) + ".." + bound(wide.smax(), Long.MAX_VALUE)
                        : Long.toUnsignedString(wide.umin()) + ".." + Long.toUnsignedString(wide.umax());
        boolean bitsSayMore = !bits.equals(Bits.between(wide.umin(), wide.umax()));
        String known = bitsSayMore ? "&0x" + Long.toHexString(bits.max()) : "";
        String text = range + known;
        return text.isEmpty() ? "any" : text;
    }

    private static String bound(long number, long open) {
        return number == open ? "" : Long.toString(number);
    }

    @Override
    public String toString() {
        return text();
    }
}
