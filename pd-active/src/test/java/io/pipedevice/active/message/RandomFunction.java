// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import java.util.Random;

/**
 * Writes random functions that the verifier accepts: operations on two regions of 64 bytes, loops in loops, branches, calls of
 * other functions, with a message of 64 bytes.
 */
final class RandomFunction {
    private static final String[] ARITHMETIC = {"+=", "-=", "*=", "|=", "&=", "^=", "<<=", ">>=", "s>>="};
    private static final String[] CONDITIONS = {"==", "!=", ">", "<=", "s<", "s>=", "&"};
    private static final int SLOTS = 6;

    private final Random random;
    private final StringBuilder text = new StringBuilder();
    private final int functions;
    private int function;
    private int labels;
    private int statements;

    private RandomFunction(Random random) {
        this.random = random;
        functions = 1 + random.nextInt(4);
    }

    static String write(Random random) {
        RandomFunction writer = new RandomFunction(random);
        for (int i = 0; i < writer.functions; i++) {
            writer.function = i;
            writer.function();
        }
        return writer.text.toString();
    }

    private void add(String line) {
        text.append(line).append('\n');
    }

    private int number(int limit) {
        return random.nextInt(limit);
    }

    /** A register with a number that lives on. */
    private int register() {
        return 6 + number(3);
    }

    private int slot() {
        return 8 * (1 + number(SLOTS));
    }

    private void function() {
        if (function > 0) {
            add("f%d:".formatted(function));
        }
        add("r9 = r1; r6 = r2; r7 = %d; r8 = %d".formatted(number(1000), number(1000)));
        for (int i = 1; i <= SLOTS; i++) {
            add("*(u64 *)(r10 - %d) = %d".formatted(8 * i, number(100)));
        }
        statements = 4 + number(30);
        while (statements > 0) {
            body(0);
        }
        add("r0 = r6; r0 ^= r7; r0 += r8; exit");
    }

    private void body(int depth) {
        int own = 1 + number(6);
        while (own-- > 0 && statements-- > 0) {
            statement(depth);
        }
    }

    private void statement(int depth) {
        switch (number(16)) {
            case 0, 1 -> add("r%d %s r%d".formatted(register(), ARITHMETIC[number(6)], register()));
            case 2 -> add("r%d %s %d".formatted(register(), ARITHMETIC[number(9)], number(31)));
            case 3 -> add("r%d = *(u64 *)(r9 + %d)".formatted(register(), number(57)));
            case 4 -> add("*(u32 *)(r9 + %d) = r%d".formatted(number(61), register()));
            case 5 -> add("r%d = *(u64 *)(r10 - %d)".formatted(register(), slot()));
            case 6 -> add("*(u64 *)(r10 - %d) = r%d".formatted(slot(), register()));
            case 7 -> {
                copyTarget();
                add("call 1; r%d += r0".formatted(register()));
            }
            case 8 -> {
                copyTarget();
                add("call 2; r%d += r0".formatted(register()));
            }
            case 9, 10 -> word();
            case 11 -> add("call 8; r%d += r0".formatted(register()));
            case 12 -> add("r1 = %d; call 7; r%d += r0".formatted(number(2), register()));
            case 13 -> branch(depth);
            case 14 -> loop(depth);
            default -> call(depth);
        }
    }

    private void place(int length) {
        add("r1 = %d; r2 = r%d; r2 &= %d".formatted(number(2), register(), length == 8 ? 56 : 31));
    }

    private void copyTarget() {
        int length = number(32);
        place(0);
        if (random.nextBoolean()) {
            add("r3 = r9; r3 += %d".formatted(number(65 - length)));
        } else {
            add("r3 = r10; r3 += -%d".formatted(length + number(8 * SLOTS + 1 - length)));
        }
        add("r4 = %d".formatted(length));
    }

    private void word() {
        place(8);
        add("r3 = r%d; r4 = r%d; call %d; r%d ^= r0".formatted(register(), register(), 3 + number(4), register()));
    }

    private void branch(int depth) {
        int label = labels++;
        add("if r%d %s %d goto l%d".formatted(register(), CONDITIONS[number(7)], number(1000), label));
        body(depth);
        add("l%d:".formatted(label));
    }

    private void loop(int depth) {
        if (depth == 3) {
            return;
        }
        int label = labels++;
        int counter = 8 * (SLOTS + 1 + depth);
        add("*(u64 *)(r10 - %d) = %d".formatted(counter, 1 + number(5)));
        add("l%d:".formatted(label));
        body(depth + 1);
        add("r0 = *(u64 *)(r10 - %d); r0 += -1; *(u64 *)(r10 - %d) = r0".formatted(counter, counter));
        add("if r0 != 0 goto l%d".formatted(label));
    }

    private void call(int depth) {
        if (depth < 2 && function + 1 < functions) {
            add("r1 = r9; r2 = r%d; call local f%d; r%d += r0"
                    .formatted(register(), function + 1 + number(functions - function - 1), register()));
        }
    }
}
