// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Writes random programs that no verifier has to accept. Most run for a while: their accesses are mostly in bounds.
 * They expect memory of 64 bytes in r1, the constants {@link #DATA}, and helpers with the numbers 1 to 4, of which the
 * last two are rare.
 */
public final class RandomCode {
    /** The constants of the programs. */
    public static final List<byte[]> DATA = List.of(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, new byte[12]);

    private static final int FRAME_POINTER = 10;

    private final RandomGenerator random;
    private final RawCode code = new RawCode();
    private final RandomInstructions instructions;
    private final int[] starts;

    /** Whether some instructions are none, and some jumps lead anywhere. */
    private final boolean isWild;

    private RandomCode(RandomGenerator random, int functions, int length, boolean isWild) {
        this.random = random;
        this.isWild = isWild;
        instructions = new RandomInstructions(random, code);
        starts = new int[functions + 1];
        for (int i = 1; i <= functions; i++) {
            starts[i] = starts[i - 1] + 4 + random.nextInt(length);
        }
    }

    /**
     * Writes a program that can be decoded.
     *
     * @param random what decides
     * @param functions the number of functions
     * @param length about how many instructions a function has, at most
     */
    public static byte[] runnable(RandomGenerator random, int functions, int length) {
        return new RandomCode(random, functions, length, false).write();
    }

    /** Writes a program, as {@link #runnable}, that may not be one. */
    public static byte[] wild(RandomGenerator random, int functions, int length) {
        return new RandomCode(random, functions, length, true).write();
    }

    private byte[] write() {
        for (int i = 1; i < starts.length; i++) {
            function(starts[i - 1], starts[i]);
        }
        return code.bytes();
    }

    private void function(int start, int end) {
        if (start == 0) {
            code.add(0xbf, 6, 1, 0, 0); // r6 = r1, which calls leave alone
        }
        while (code.size() < end - 3) {
            if (isWild && random.nextInt(8) == 0) {
                wild();
            } else {
                instruction(start, end);
            }
        }
        while (code.size() < end - 1) {
            arithmetic();
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

    /** A register, or no one. */
    private int source() {
        return random.nextBoolean() ? RandomInstructions.IMMEDIATE : random.nextInt(FRAME_POINTER + 1);
    }

    private int target(int start, int end) {
        // mostly forward, so that most programs end
        int from = random.nextInt(6) == 0 ? start : Math.min(code.size() + 1, end - 1);
        return random.nextInt(from, Math.min(end, from + 40));
    }

    private void instruction(int start, int end) {
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5 -> arithmetic();
            case 6 -> instructions.wide(register());
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
                    code.add(0xb7, register(), 0, 0, instructions.number());
                }
            }
        }
    }

    private void arithmetic() {
        instructions.arithmetic(register(), source());
    }

    /** Makes an address in the frame in another way than by an offset. */
    private void pointer() {
        int register = register();
        code.add(0xbf, register, FRAME_POINTER, 0, 0);
        if (random.nextBoolean()) {
            code.add(instructions.one(0x07, 0x17), register, 0, 0, random.nextInt(80) - 60);
        }
        access(register, -random.nextInt(20));
    }

    private void access(int base, int offset) {
        switch (random.nextInt(7)) {
            case 0, 1, 2 -> instructions.load(register(), base, offset);
            case 3, 4, 5 -> instructions.store(base, offset, source());
            default -> instructions.atomic(base, random.nextInt(8) == 0 ? offset : offset & ~7, register());
        }
    }

    private void branch(int start, int end) {
        int target = target(start, end);
        if (random.nextInt(6) == 0) {
            code.jump(target);
        } else {
            instructions.branch(random.nextInt(FRAME_POINTER + 1), source(), target);
        }
    }

    /** An instruction that is probably refused, or a way to anywhere, also to half of an instruction. */
    private void wild() {
        int distance = random.nextInt(2 * starts[starts.length - 1]) - starts[starts.length - 1];
        switch (random.nextInt(6)) {
            case 0 -> code.add(0x05, 0, 0, distance, 0);
            case 1 -> code.add(instructions.one(0x15, 0x5d, 0xa6), register(), 0, distance, 0);
            case 2 -> code.add(0x85, 0, instructions.one(0, 1), 0, distance);
            case 3 -> code.add(0x8d, register(), 0, 0, 0);
            case 4 -> code.wide(register(), random.nextInt(8), random.nextInt(3));
            default -> code.add(random.nextInt(256), register(), register(), random.nextInt(3), instructions.number());
        }
    }
}
