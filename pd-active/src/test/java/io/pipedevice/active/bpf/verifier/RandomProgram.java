// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.RandomInstructions;
import io.pipedevice.active.bpf.RawCode;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/** Random code that a verifier accepts rather often: it remembers roughly what registers have. */
final class RandomProgram {
    static final int HELPER_NUMBER = 1;
    static final int HELPER_READ = 2;
    static final int HELPER_FILL = 3;
    static final int HELPER_FIND = 4;

    private static final int MAX_LENGTH = 300;

    private enum Content {
        UNSET,
        NUMBER,
        MEMORY,
        FRAME
    }

    private final Random random;
    private final RawCode code = new RawCode();
    private final RandomInstructions instructions;
    private Content[] contents = new Content[10];
    private final boolean[] isSpilled = new boolean[8];

    private RandomProgram(Random random) {
        this.random = random;
        instructions = new RandomInstructions(random, code);
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
                call = code.size();
                code.call(call);
                Arrays.fill(contents, 0, 6, Content.UNSET);
                number(0, 3);
            }
            statement(2);
        }
        end();
        if (hasFunction) {
            code.lead(call, code.size());
            Arrays.fill(contents, Content.UNSET);
            Arrays.fill(isSpilled, false);
            number(1, 9);
            for (int i = 0; i < count / 2; i++) {
                statement(1);
            }
            end();
        }
        return code.bytes();
    }

    private void end() {
        if (contents[0] != Content.NUMBER) {
            code.add(0xb7, 0, 0, 0, 1);
        }
        code.exit();
    }

    /** A register with some content; -1 if there is none. */
    private int find(Content content) {
        int[] found = IntStream.range(0, 10).filter(i -> contents[i] == content).toArray();
        return found.length == 0 ? -1 : instructions.one(found);
    }

    private int number() {
        int found = find(Content.NUMBER);
        return found < 0 ? number(random.nextInt(10), instructions.number()) : found;
    }

    private int number(int register, int value) {
        code.add(0xb7, register, 0, 0, value);
        contents[register] = Content.NUMBER;
        return register;
    }

    private void statement(int nesting) {
        if (code.size() > MAX_LENGTH) {
            return;
        }
        switch (random.nextInt(20)) {
            case 0 -> number(random.nextInt(10), instructions.number());
            case 1, 2, 3 -> arithmetic();
            case 4 -> {
                int register = random.nextInt(10);
                instructions.wide(register);
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
        instructions.arithmetic(number(), numberOrImmediate());
    }

    private int numberOrImmediate() {
        return random.nextBoolean() ? RandomInstructions.IMMEDIATE : number();
    }

    private void move() {
        int dst = random.nextInt(10);
        int src = random.nextInt(11);
        if (src == 10 || contents[src] != Content.UNSET) {
            code.add(0xbf, dst, src, 0, 0);
            contents[dst] = src == 10 ? Content.FRAME : contents[src];
        }
    }

    private void load() {
        int dst = random.nextInt(10);
        int base = find(Content.MEMORY);
        if (base < 0 || random.nextInt(3) == 0) {
            instructions.load(dst, 10, -8 * (1 + random.nextInt(8)) + instructions.one(0, 0, 4, 1));
        } else {
            instructions.load(dst, base, random.nextInt(12));
        }
        contents[dst] = Content.NUMBER;
    }

    private void store() {
        int base = find(Content.MEMORY);
        boolean isFrame = base < 0 || random.nextInt(3) > 0;
        int offset = isFrame ? -8 * (1 + random.nextInt(8)) : random.nextInt(12);
        if (random.nextInt(4) > 0) {
            instructions.store(isFrame ? 10 : base, offset, numberOrImmediate());
            return;
        }
        // an atomic operation may compare with r0
        int src = number();
        if (contents[0] != Content.NUMBER) {
            number(0, instructions.number());
        }
        if (isFrame) {
            code.add(0x7a, 10, 0, offset, instructions.number());
        }
        boolean isOfWord = isFrame || random.nextInt(4) > 0;
        instructions.atomic(isFrame ? 10 : base, isOfWord ? offset & -8 : offset, src);
    }

    /** Stores a register in the frame, and loads it again later. */
    private void spill() {
        int slot = random.nextInt(8);
        int register = random.nextInt(10);
        if (isSpilled[slot] && random.nextBoolean()) {
            code.add(0x79, register, 10, -8 * (slot + 1), 0);
            contents[register] = Content.NUMBER;
        } else if (contents[register] != Content.UNSET) {
            code.add(0x7b, 10, register, -8 * (slot + 1), 0);
            isSpilled[slot] = true;
        }
    }

    /** Adds a number with bounds to an address. */
    private void index() {
        int base = find(Content.MEMORY);
        int number = number();
        int pointer = random.nextInt(10);
        if (pointer == number || (base < 0 && random.nextBoolean())) {
            return;
        }
        code.add(instructions.one(0x57, 0x97, 0x54), number, 0, 0, instructions.one(7, 8, 12, 15));
        code.add(0xbf, pointer, base < 0 ? 10 : base, 0, 0);
        if (base < 0) {
            code.add(0x07, pointer, 0, 0, -64);
        }
        code.add(instructions.one(0x0f, 0x0f, 0x1f), pointer, number, 0, 0);
        contents[pointer] = base < 0 ? Content.FRAME : Content.MEMORY;
    }

    private void branch(int nesting) {
        instructions.branch(number(), numberOrImmediate(), 0);
        skip(nesting);
    }

    /** Completes the branch before: it skips some statements, or ends the program. */
    private void skip(int nesting) {
        int branch = code.size() - 1;
        if (nesting == 0 || random.nextInt(3) == 0) {
            code.add(0xb7, 0, 0, 0, 2).exit();
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
        code.lead(branch, code.size());
    }

    private void loop(int nesting) {
        if (nesting == 0) {
            return;
        }
        int counter = number(6 + random.nextInt(4), 0);
        int head = code.size();
        for (int i = random.nextInt(4); i >= 0; i--) {
            statement(nesting - 1);
        }
        if (contents[counter] != Content.NUMBER) {
            return;
        }
        code.add(0x07, counter, 0, 0, instructions.one(1, 1, 1, 2, 3));
        if (random.nextInt(3) == 0 && contents[2] == Content.NUMBER) {
            code.branch(instructions.one(0x5d, 0xad, 0xae, 0xcd), counter, 2, 0, head);
        } else {
            code.branch(instructions.one(0x55, 0xa5, 0xb5, 0xa6), counter, 0, instructions.one(3, 6, 12, 8), head);
        }
    }

    private void helper() {
        switch (random.nextInt(4)) {
            case 0 -> code.add(0x85, 0, 0, 0, number(1, 5) + HELPER_NUMBER - 1);
            case 1, 2 -> {
                code.add(0x7a, 10, 0, -8, instructions.number());
                code.add(0xbf, 1, 10, 0, 0).add(0x07, 1, 0, 0, -8);
                number(2, 1 + random.nextInt(9));
                code.add(0x85, 0, 0, 0, instructions.one(HELPER_READ, HELPER_FILL));
            }
            default -> {
                number(1, instructions.number());
                code.add(0x85, 0, 0, 0, HELPER_FIND);
                Arrays.fill(contents, 0, 6, Content.UNSET);
                int next = code.size() + 1;
                if (random.nextBoolean()) {
                    code.branch(0x55, 0, 0, 0, next + 2);
                } else {
                    code.branch(0x15, 0, 0, 0, next + 1);
                    code.branch(0x05, 0, 0, 0, next + 3);
                }
                code.add(0xb7, 0, 0, 0, 3).exit();
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
        code.add(0x67, register, 0, 0, 32).add(instructions.one(0x77, 0xc7), register, 0, 0, 32);
    }

    /** Compares an address with the end of its memory, which is in r1 and r2. */
    private void comparePointers(int nesting) {
        if (contents[1] != Content.MEMORY || contents[2] != Content.NUMBER) {
            return;
        }
        int end = 3 + random.nextInt(3);
        int begin = 6 + random.nextInt(4);
        code.add(0xbf, end, 1, 0, 0).add(0x0f, end, 2, 0, 0);
        code.add(0xbf, begin, 1, 0, 0).add(0x07, begin, 0, 0, random.nextInt(30));
        contents[end] = Content.MEMORY;
        contents[begin] = Content.MEMORY;
        boolean isSwapped = random.nextBoolean();
        code.branch(instructions.condition() | 0x0d, isSwapped ? end : begin, isSwapped ? begin : end, 0, 0);
        skip(nesting);
        code.add(0x71, 0, begin, -1, 0);
        contents[0] = Content.NUMBER;
    }

    /** An instruction that is probably refused. */
    private void wild() {
        if (random.nextInt(10) == 0) {
            code.add(instructions.one(0x0f, 0x1f, 0xbf, 0xbc, 0x7b), random.nextInt(10), random.nextInt(10), 0, 0);
        }
    }
}
