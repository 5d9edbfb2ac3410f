// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/** Random code that a verifier accepts rather often: it remembers roughly what registers have. */
final class RandomProgram {
    static final int HELPER_NUMBER = 1;
    static final int HELPER_READ = 2;
    static final int HELPER_FILL = 3;
    static final int HELPER_FIND = 4;

    private static final int[] NUMBERS = {0, 1, 2, 7, 8, 15, 16, 31, 32, 63, 64, 255, -1, -8, Integer.MIN_VALUE, 65_535
    };
    private static final int[] CONDITIONS = {0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0xa0, 0xb0, 0xc0, 0xd0};
    private static final int[] SIZES = {0x00, 0x08, 0x10, 0x18};
    private static final int MAX_SLOTS = 400;

    private enum Content {
        UNSET,
        NUMBER,
        MEMORY,
        FRAME
    }

    private final Random random;
    private final ByteBuffer code = ByteBuffer.allocate(MAX_SLOTS * 8).order(ByteOrder.LITTLE_ENDIAN);
    private Content[] contents = new Content[10];
    private final boolean[] isSpilled = new boolean[8];

    private RandomProgram(Random random) {
        this.random = random;
        Arrays.fill(contents, Content.UNSET);
    }

    static byte[] of(Random random) {
        return new RandomProgram(random).generate();
    }

    private byte[] generate() {
        contents[1] = Content.MEMORY;
        contents[2] = Content.NUMBER;
        int count = 3 + random.nextInt(20);
        boolean hasFunction = random.nextInt(3) == 0;
        int call = -1;
        for (int i = 0; i < count; i++) {
            if (hasFunction && i == count / 2) {
                call = code.position();
                put(0x85, 0, 1, 0, 0);
                Arrays.fill(contents, 0, 6, Content.UNSET);
                number(0, 3);
            }
            statement(2);
        }
        end();
        if (hasFunction) {
            code.putInt(call + 4, (code.position() - call) / 8 - 1);
            Arrays.fill(contents, Content.UNSET);
            Arrays.fill(isSpilled, false);
            number(1, 9);
            for (int i = 0; i < count / 2; i++) {
                statement(1);
            }
            end();
        }
        return Arrays.copyOf(code.array(), code.position());
    }

    private void end() {
        if (contents[0] != Content.NUMBER) {
            put(0xb7, 0, 0, 0, 1);
        }
        put(0x95, 0, 0, 0, 0);
    }

    private void put(int opcode, int dst, int src, int offset, int imm) {
        code.put((byte) opcode)
                .put((byte) (dst | src << 4))
                .putShort((short) offset)
                .putInt(imm);
    }

    private int one(int... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private int immediate() {
        return random.nextInt(4) == 0 ? random.nextInt() : one(NUMBERS);
    }

    /** A register with some content; -1 if there is none. */
    private int find(Content content) {
        int[] found = java.util.stream.IntStream.range(0, 10)
                .filter(i -> contents[i] == content)
                .toArray();
        return found.length == 0 ? -1 : one(found);
    }

    private int number() {
        int found = find(Content.NUMBER);
        return found < 0 ? number(random.nextInt(10), immediate()) : found;
    }

    private int number(int register, int value) {
        put(0xb7, register, 0, 0, value);
        contents[register] = Content.NUMBER;
        return register;
    }

    private void statement(int nesting) {
        if (code.position() > (MAX_SLOTS - 100) * 8) {
            return;
        }
        switch (random.nextInt(20)) {
            case 0 -> number(random.nextInt(10), immediate());
            case 1, 2, 3 -> arithmetic();
            case 4 -> {
                int register = random.nextInt(10);
                put(0x18, register, 0, 0, immediate());
                put(0, 0, 0, 0, one(0, -1, 1, random.nextInt()));
                contents[register] = Content.NUMBER;
            }
            case 5 -> move();
            case 6, 7 -> load();
            case 8 -> store();
            case 9 -> spill();
            case 10, 11 -> index();
            case 12, 13, 14 -> branch(nesting);
            case 15 -> loop(nesting);
            case 16 -> helper();
            case 17 -> extend();
            case 18 -> comparePointers(nesting);
            default -> wild();
        }
    }

    private void arithmetic() {
        int dst = number();
        int operation = random.nextInt(14) << 4;
        int group = one(0x04, 0x07);
        if (operation == 0xd0) {
            put(one(0xd4, 0xdc, 0xd7), dst, 0, 0, one(16, 32, 64));
            return;
        }
        if (operation == 0x80) {
            put(0x80 | group, dst, 0, 0, 0);
            return;
        }
        int offset = operation == 0x30 || operation == 0x90 ? random.nextInt(2) : 0;
        if (random.nextBoolean()) {
            put(
                    operation | group,
                    dst,
                    0,
                    offset,
                    operation >= 0x60 && operation <= 0x70 ? random.nextInt(40) : immediate());
        } else {
            int extension = group == 0x07 ? one(0, 8, 16, 32) : one(0, 8, 16);
            put(operation | group | 0x08, dst, number(), operation == 0xb0 ? extension : offset, 0);
        }
    }

    private void move() {
        int dst = random.nextInt(10);
        int src = random.nextInt(11);
        if (src == 10 || contents[src] != Content.UNSET) {
            put(0xbf, dst, src, 0, 0);
            contents[dst] = src == 10 ? Content.FRAME : contents[src];
        }
    }

    private void load() {
        int dst = random.nextInt(10);
        int base = find(Content.MEMORY);
        int opcode = one(0x61, 0x69, 0x71, 0x79, 0x81, 0x89, 0x91);
        if (base < 0 || random.nextInt(3) == 0) {
            put(opcode, dst, 10, -8 * (1 + random.nextInt(8)) + one(0, 0, 4, 1), 0);
        } else {
            put(opcode, dst, base, random.nextInt(12), 0);
        }
        contents[dst] = Content.NUMBER;
    }

    private void store() {
        int base = find(Content.MEMORY);
        int size = one(SIZES);
        boolean isFrame = base < 0 || random.nextInt(3) > 0;
        int offset = isFrame ? -8 * (1 + random.nextInt(8)) : random.nextInt(12);
        switch (random.nextInt(4)) {
            case 0 -> put(0x62 | size, isFrame ? 10 : base, 0, offset, immediate());
            case 1 -> {
                put(0x7a, 10, 0, -8 * (1 + random.nextInt(8)), immediate());
                put(one(0xc3, 0xdb), 10, number(), -8 * (1 + random.nextInt(8)), one(0x00, 0x41, 0x01, 0xa1, 0xe1));
            }
            default -> put(0x63 | size, isFrame ? 10 : base, number(), offset, 0);
        }
    }

    /** Stores a register in the frame, and loads it again later. */
    private void spill() {
        int slot = random.nextInt(8);
        int register = random.nextInt(10);
        if (isSpilled[slot] && random.nextBoolean()) {
            put(0x79, register, 10, -8 * (slot + 1), 0);
            contents[register] = Content.NUMBER;
        } else if (contents[register] != Content.UNSET) {
            put(0x7b, 10, register, -8 * (slot + 1), 0);
            isSpilled[slot] = true;
        }
    }

    /** Adds a number with bounds to an address. */
    private void index() {
        int base = find(Content.MEMORY);
        int number = number();
        int pointer = random.nextInt(10);
        if (base < 0 && random.nextBoolean()) {
            return;
        }
        if (pointer == number) {
            return;
        }
        put(one(0x57, 0x97, 0x54), number, 0, 0, one(7, 8, 12, 15));
        put(0xbf, pointer, base < 0 ? 10 : base, 0, 0);
        if (base < 0) {
            put(0x07, pointer, 0, 0, -64);
        }
        put(one(0x0f, 0x0f, 0x1f), pointer, number, 0, 0);
        contents[pointer] = base < 0 ? Content.FRAME : Content.MEMORY;
    }

    private void branch(int nesting) {
        int dst = number();
        int opcode = one(CONDITIONS) | one(0x05, 0x06);
        if (random.nextBoolean()) {
            put(opcode, dst, 0, 0, immediate());
        } else {
            put(opcode | 0x08, dst, number(), 0, 0);
        }
        skip(nesting);
    }

    /** Completes the branch before: it skips some statements, or ends the program. */
    private void skip(int nesting) {
        int from = code.position();
        if (nesting == 0 || random.nextInt(3) == 0) {
            put(0xb7, 0, 0, 0, 2);
            put(0x95, 0, 0, 0, 0);
        } else {
            Content[] before = contents.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                statement(nesting - 1);
            }
            for (int i = 0; i < contents.length; i++) {
                before[i] = before[i] == contents[i] ? before[i] : Content.UNSET;
            }
            contents = before;
        }
        code.putShort(from - 6, (short) ((code.position() - from) / 8));
    }

    private void loop(int nesting) {
        if (nesting == 0) {
            return;
        }
        int counter = number(6 + random.nextInt(4), 0);
        int head = code.position();
        for (int i = random.nextInt(4); i >= 0; i--) {
            statement(nesting - 1);
        }
        if (contents[counter] != Content.NUMBER) {
            return;
        }
        put(0x07, counter, 0, 0, one(1, 1, 1, 2, 3));
        int distance = (head - code.position()) / 8 - 1;
        if (random.nextInt(3) == 0 && contents[2] == Content.NUMBER) {
            put(one(0x5d, 0xad, 0xae, 0xcd), counter, 2, distance, 0);
        } else {
            put(one(0x55, 0xa5, 0xb5, 0xa6), counter, 0, distance, one(3, 6, 12, 8));
        }
    }

    private void helper() {
        switch (random.nextInt(4)) {
            case 0 -> put(0x85, 0, 0, 0, number(1, 5) + HELPER_NUMBER - 1);
            case 1, 2 -> {
                put(0x7a, 10, 0, -8, immediate());
                put(0xbf, 1, 10, 0, 0);
                put(0x07, 1, 0, 0, -8);
                number(2, 1 + random.nextInt(9));
                put(0x85, 0, 0, 0, one(HELPER_READ, HELPER_FILL));
            }
            default -> {
                number(1, immediate());
                put(0x85, 0, 0, 0, HELPER_FIND);
                Arrays.fill(contents, 0, 6, Content.UNSET);
                put(one(0x55, 0x15), 0, 0, 0, 0);
                boolean isNull = code.get(code.position() - 8) == 0x55;
                code.putShort(code.position() - 6, (short) (isNull ? 2 : 1));
                if (!isNull) {
                    put(0x05, 0, 0, 2, 0);
                }
                put(0xb7, 0, 0, 0, 3);
                put(0x95, 0, 0, 0, 0);
                contents[0] = Content.MEMORY;
                return;
            }
        }
        Arrays.fill(contents, 0, 6, Content.UNSET);
        contents[0] = Content.NUMBER;
    }

    /** The extension of 32 bits as older compilers write it. */
    private void extend() {
        int register = number();
        put(0x67, register, 0, 0, 32);
        put(one(0x77, 0xc7), register, 0, 0, 32);
    }

    /** Compares an address with the end of its memory, which is in r1 and r2. */
    private void comparePointers(int nesting) {
        if (contents[1] != Content.MEMORY || contents[2] != Content.NUMBER) {
            return;
        }
        int end = 3 + random.nextInt(3);
        int begin = 6 + random.nextInt(4);
        put(0xbf, end, 1, 0, 0);
        put(0x0f, end, 2, 0, 0);
        put(0xbf, begin, 1, 0, 0);
        put(0x07, begin, 0, 0, random.nextInt(30));
        contents[end] = Content.MEMORY;
        contents[begin] = Content.MEMORY;
        boolean isSwapped = random.nextBoolean();
        put(one(CONDITIONS) | 0x0d, isSwapped ? end : begin, isSwapped ? begin : end, 0, 0);
        skip(nesting);
        put(0x71, 0, begin, -1, 0);
        contents[0] = Content.NUMBER;
    }

    /** An instruction that is probably refused. */
    private void wild() {
        if (random.nextInt(10) == 0) {
            put(one(0x0f, 0x1f, 0xbf, 0xbc, 0x7b), random.nextInt(10), random.nextInt(10), 0, 0);
        }
    }
}
