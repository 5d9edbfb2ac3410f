// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import java.util.random.RandomGenerator;

/** Writes random programs, most of which run for a while: their accesses are mostly in bounds. */
final class RandomCode {
    private static final int[] BINARY = {0x00, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x90, 0xa0, 0xb0, 0xc0};
    private static final int[] BRANCH = {0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0xa0, 0xb0, 0xc0, 0xd0};
    private static final int[] ATOMIC = {0x00, 0x40, 0x50, 0xa0, 0x01, 0x41, 0x51, 0xa1, 0xe1, 0xf1};
    private static final int[] SIZE = {0x00, 0x08, 0x10, 0x18};
    private static final long[] SPECIAL = {
        0, 1, -1, 2, 7, 8, 31, 63, 64, 255, 32767, 32768, -32769, 65535, Integer.MAX_VALUE, Integer.MIN_VALUE
    };

    private static final int FRAME_POINTER = 10;

    private final RandomGenerator random;
    private final RawCode code = new RawCode();
    private final int[] starts;

    private RandomCode(RandomGenerator random, int functions, int length) {
        this.random = random;
        starts = new int[functions + 1];
        for (int i = 1; i <= functions; i++) {
            starts[i] = starts[i - 1] + 4 + random.nextInt(length);
        }
    }

    /**
     * Writes a program.
     *
     * @param random what decides
     * @param functions the number of functions
     * @param length about how many instructions a function has, at most
     */
    static byte[] write(RandomGenerator random, int functions, int length) {
        RandomCode writer = new RandomCode(random, functions, length);
        for (int i = 0; i < functions; i++) {
            writer.function(writer.starts[i], writer.starts[i + 1]);
        }
        return writer.code.bytes();
    }

    private void function(int start, int end) {
        if (start == 0) {
            code.add(0xbf, 6, 1, 0, 0); // r6 = r1, which calls leave alone
        }
        while (code.size() < end - 3) {
            instruction(start, end);
        }
        while (code.size() < end - 1) {
            arithmetic(0x07);
        }
        if (random.nextInt(8) == 0) {
            code.jump(target(start, end));
        } else {
            code.exit();
        }
    }

    private int register() {
        return random.nextInt(FRAME_POINTER);
    }

    private long immediate() {
        return random.nextInt(3) == 0 ? random.nextInt() : SPECIAL[random.nextInt(SPECIAL.length)];
    }

    private int target(int start, int end) {
        // mostly forward, so that most programs end
        int from = random.nextInt(6) == 0 ? start : Math.min(code.size() + 1, end - 1);
        return random.nextInt(from, Math.min(end, from + 40));
    }

    private void instruction(int start, int end) {
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4 -> arithmetic(random.nextBoolean() ? 0x07 : 0x04);
            case 5 -> unary();
            case 6 -> code.wide(register(), 0, random.nextLong());
            case 7 -> code.wide(register(), 6, random.nextInt(2) | (long) random.nextInt(9) << 32);
            case 8, 9, 10 -> access(FRAME_POINTER, -8 * random.nextInt(8) - random.nextInt(10));
            case 11, 12, 13 -> access(6, random.nextInt(70) - 2);
            case 14 -> access(register(), random.nextInt(16));
            case 15 -> pointer();
            case 16, 17 -> branch(start, end);
            case 18 -> {
                if (random.nextInt(3) == 0) {
                    code.call(starts[random.nextInt(starts.length - 1)]);
                } else {
                    code.add(0x85, 0, 0, 0, 1 + random.nextInt(random.nextInt(10) == 0 ? 4 : 2));
                }
            }
            default -> {
                if (random.nextInt(6) == 0) {
                    code.exit();
                } else {
                    code.add(0xb7, register(), 0, 0, immediate());
                }
            }
        }
    }

    private void arithmetic(int width) {
        int operation = BINARY[random.nextInt(BINARY.length)];
        int offset = (operation == 0x30 || operation == 0x90) && random.nextBoolean() ? 1 : 0;
        if (random.nextBoolean()) {
            code.add(operation | width | 0x08, register(), random.nextInt(11), offset, 0);
        } else {
            code.add(operation | width, register(), 0, offset, immediate());
        }
    }

    private void unary() {
        int width = random.nextBoolean() ? 0x07 : 0x04;
        switch (random.nextInt(3)) {
            case 0 -> code.add(0x80 | width, register(), 0, 0, 0);
            case 1 -> {
                int bits = width == 0x07 && random.nextInt(3) == 0 ? 32 : random.nextBoolean() ? 8 : 16;
                code.add(0xb8 | width, register(), register(), bits, 0);
            }
            default -> {
                int opcode = width == 0x07 ? 0xd7 : random.nextBoolean() ? 0xd4 : 0xdc;
                code.add(opcode, register(), 0, 0, 16 << random.nextInt(3));
            }
        }
    }

    /** Makes an address in the frame in another way than by an offset. */
    private void pointer() {
        int register = register();
        code.add(0xbf, register, FRAME_POINTER, 0, 0);
        if (random.nextBoolean()) {
            code.add(random.nextBoolean() ? 0x07 : 0x17, register, 0, 0, random.nextInt(80) - 60);
        }
        access(register, -random.nextInt(20));
    }

    private void access(int base, int offset) {
        int size = SIZE[random.nextInt(SIZE.length)];
        switch (random.nextInt(7)) {
            case 0, 1 -> code.add(0x61 | size, register(), base, offset, 0);
            case 2 -> code.add((size == 0x18 ? 0x61 : 0x81) | size, register(), base, offset, 0);
            case 3, 4 -> code.add(0x63 | size, base, random.nextInt(11), offset, 0);
            case 5 -> code.add(0x62 | size, base, 0, offset, immediate());
            default ->
                code.add(
                        random.nextBoolean() ? 0xc3 : 0xdb,
                        base,
                        register(),
                        random.nextInt(8) == 0 ? offset : offset & ~7,
                        ATOMIC[random.nextInt(ATOMIC.length)]);
        }
    }

    private void branch(int start, int end) {
        if (random.nextInt(6) == 0) {
            code.jump(target(start, end));
            return;
        }
        int opcode = BRANCH[random.nextInt(BRANCH.length)] | (random.nextBoolean() ? 0x05 : 0x06);
        if (random.nextBoolean()) {
            code.branch(opcode | 0x08, random.nextInt(11), random.nextInt(11), 0, target(start, end));
        } else {
            code.branch(opcode, random.nextInt(11), 0, immediate(), target(start, end));
        }
    }
}
