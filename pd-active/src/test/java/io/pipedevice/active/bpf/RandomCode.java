// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/** Random code of all kinds of instructions, most of which RFC 9669 defines. */
public final class RandomCode {
    private static final int[] IMMEDIATES = {0, 1, -1, 8, 16, 32, 64, Integer.MIN_VALUE, Integer.MAX_VALUE};
    private static final int[] ATOMICS = {0x00, 0x40, 0x50, 0xa0, 0x01, 0x41, 0x51, 0xa1, 0xe1, 0xf1};
    private static final int[] SIGN_EXTENSIONS = {0, 8, 16, 32};

    private final Random random;
    private final ByteBuffer code;

    private RandomCode(Random random, int slots) {
        this.random = random;
        this.code = ByteBuffer.allocate(slots * 8).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Code of some slots, of which the last one is an exit. */
    public static byte[] of(Random random, int slots) {
        RandomCode result = new RandomCode(random, slots);
        while (result.code.remaining() > 16) {
            result.add();
        }
        while (result.code.remaining() > 0) {
            result.put(0x95, 0, 0, 0, 0);
        }
        return result.code.array();
    }

    private void put(int opcode, int dst, int src, int offset, int imm) {
        code.put((byte) opcode)
                .put((byte) (dst | (src << 4)))
                .putShort((short) offset)
                .putInt(imm);
    }

    private int one(int... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private int register() {
        return random.nextInt(10);
    }

    /** A register with an address more often than others: r1 has one at the start, and r10 always. */
    private int base() {
        return one(1, 10, 10, register());
    }

    private int displacement() {
        return one(0, 8, -8, -16, random.nextInt(1200) - 600);
    }

    private int target() {
        int slot = code.position() / 8;
        int slots = code.capacity() / 8;
        return random.nextInt(slots) - slot - 1;
    }

    private void add() {
        boolean usesSource = random.nextBoolean();
        int bit = usesSource ? 0x08 : 0;
        int src = usesSource ? register() : 0;
        int imm = usesSource ? 0 : one(one(IMMEDIATES), random.nextInt());
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> arithmetic(one(0x04, 0x07), bit, src, imm);
            case 3 -> put(one(0xd4, 0xdc, 0xd7), register(), 0, 0, one(16, 32, 64));
            case 4 -> {
                put(0x18, register(), 0, 0, random.nextInt());
                put(0, 0, 0, 0, random.nextInt());
            }
            case 5 -> put(one(0x61, 0x69, 0x71, 0x79, 0x81, 0x89, 0x91), register(), base(), displacement(), 0);
            case 6 -> put((usesSource ? 0x63 : 0x62) | one(0x00, 0x08, 0x10, 0x18), base(), src, displacement(), imm);
            case 7 -> put(one(0xc3, 0xdb), base(), register(), displacement(), one(ATOMICS));
            case 8 ->
                put(
                        (one(1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13) << 4) | one(0x05, 0x06) | bit,
                        register(),
                        src,
                        target(),
                        imm);
            case 9 -> put(0x05, 0, 0, target(), 0);
            case 10 -> put(0x85, 0, one(0, 1), 0, target());
            default -> put(random.nextInt(256), register(), register(), random.nextInt(3), one(IMMEDIATES));
        }
    }

    private void arithmetic(int group, int bit, int src, int imm) {
        int operation = random.nextInt(13) << 4;
        int offset = switch (operation) {
            case 0x30, 0x90 -> random.nextInt(2);
            case 0xb0 -> bit == 0 ? 0 : one(SIGN_EXTENSIONS);
            default -> 0;
        };
        boolean negates = operation == 0x80;
        put(operation | group | (negates ? 0 : bit), register(), negates ? 0 : src, offset, negates ? 0 : imm);
    }
}
