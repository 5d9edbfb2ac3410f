// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

import java.util.random.RandomGenerator;

/**
 * Adds random instructions of some kind to code, for generators of programs: these choose the kind, the registers and
 * the places, so how many of their programs are refused or fail.
 */
public final class RandomInstructions {
    /** In the place of a source register: the second operand is an immediate. */
    public static final int IMMEDIATE = -1;

    private static final int[] LOADS = {0x61, 0x69, 0x71, 0x79, 0x81, 0x89, 0x91};
    private static final int[] SIZES = {0x00, 0x08, 0x10, 0x18};
    private static final int[] ATOMICS = {0x00, 0x40, 0x50, 0xa0, 0x01, 0x41, 0x51, 0xa1, 0xe1, 0xf1};
    private static final int[] CONDITIONS = {0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0xa0, 0xb0, 0xc0, 0xd0};
    private static final int[] NUMBERS = {
        0,
        1,
        2,
        7,
        8,
        15,
        16,
        31,
        32,
        63,
        64,
        255,
        32767,
        32768,
        65_535,
        -1,
        -8,
        -32769,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE
    };

    private final RandomGenerator random;
    private final RawCode code;

    /** Creates one that adds to some code. */
    public RandomInstructions(RandomGenerator random, RawCode code) {
        this.random = random;
        this.code = code;
    }

    /** One of some numbers. */
    public int one(int... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** A number at which much changes, or any. */
    public int number() {
        return random.nextInt(4) == 0 ? random.nextInt() : one(NUMBERS);
    }

    /** Arithmetic of 32 or 64 bits with one operand or two: also moves, sign extensions and byte swaps. */
    public void arithmetic(int dst, int src) {
        int width = one(0x04, 0x07);
        int operation = random.nextInt(16) << 4;
        switch (operation) {
            case 0x80 -> code.add(operation | width, dst, 0, 0, 0);
            case 0xd0 -> code.add(one(0xd4, 0xdc, 0xd7), dst, 0, 0, one(16, 32, 64));
            case 0xe0, 0xf0 -> {
                int bits = width == 0x07 ? one(8, 16, 32) : one(8, 16);
                code.add(0xb8 | width, dst, src == IMMEDIATE ? dst : src, bits, 0);
            }
            default -> binary(operation, width, dst, src);
        }
    }

    private void binary(int operation, int width, int dst, int src) {
        boolean isDivision = operation == 0x30 || operation == 0x90;
        boolean isShift = operation == 0x60 || operation == 0x70 || operation == 0xc0;
        int isSigned = isDivision ? random.nextInt(2) : 0;
        if (src == IMMEDIATE) {
            // most shifts are by less than the width
            code.add(
                    operation | width,
                    dst,
                    0,
                    isSigned,
                    isShift && random.nextInt(4) > 0 ? random.nextInt(40) : number());
        } else {
            code.add(operation | width | 0x08, dst, src, isSigned, 0);
        }
    }

    /** A constant of 64 bits. */
    public void wide(int dst) {
        code.wide(
                dst,
                0,
                random.nextBoolean()
                        ? random.nextLong()
                        : Integer.toUnsignedLong(number()) | ((long) one(0, 1, -1) << 32));
    }

    /** A load of any length. */
    public void load(int dst, int base, int offset) {
        code.add(one(LOADS), dst, base, offset, 0);
    }

    /** A store of any length. */
    public void store(int base, int offset, int src) {
        boolean isImmediate = src == IMMEDIATE;
        code.add(
                one(SIZES) | (isImmediate ? 0x62 : 0x63),
                base,
                isImmediate ? 0 : src,
                offset,
                isImmediate ? number() : 0);
    }

    /** An atomic operation of 32 or 64 bits. */
    public void atomic(int base, int offset, int src) {
        code.add(one(0xc3, 0xdb), base, src, offset, one(ATOMICS));
    }

    /** The condition of a branch, without the bits of its operands. */
    public int condition() {
        return one(CONDITIONS);
    }

    /** A branch; its target may be chosen later. */
    public void branch(int dst, int src, int target) {
        int opcode = condition() | one(0x05, 0x06);
        if (src == IMMEDIATE) {
            code.branch(opcode, dst, 0, number(), target);
        } else {
            code.branch(opcode | 0x08, dst, src, 0, target);
        }
    }
}
