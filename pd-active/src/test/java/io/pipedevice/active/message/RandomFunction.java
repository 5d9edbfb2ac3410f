// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.RandomInstructions;
import io.pipedevice.active.bpf.RawCode;
import io.pipedevice.active.bpf.verifier.Conditions;
import io.pipedevice.active.bpf.verifier.Parameter;
import io.pipedevice.active.bpf.verifier.StepCount;
import io.pipedevice.active.bpf.verifier.UnsafeProgramException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Writes random functions that the verifier accepts: operations on two regions of 64 bytes, loops in loops, branches,
 * calls of other functions, with a message of 64 bytes. r6 to r8 have numbers that live on, and r9 the address of the
 * message.
 */
final class RandomFunction {
    private static final int LENGTH = 64;
    private static final int MESSAGE = 9;
    private static final int STACK = 10;
    private static final int SLOTS = 6;

    /** The verifier has 2,000,000, and processor time for as many in a JVM that has compiled it. */
    private static final int MOST_STEPS = 20_000;

    private static final Conditions CONDITIONS = new Conditions(
            MessageHelpers.ALL, List.of(new Parameter.Memory("message", LENGTH, LENGTH, true), Parameter.LENGTH));

    private final Random random;
    private final RawCode code = new RawCode();
    private final RandomInstructions instructions;

    /** Where functions begin. */
    private final int[] starts;

    /** The functions that are called, by the index of the call. */
    private final Map<Integer, Integer> calls = new LinkedHashMap<>();

    private int function;
    private int statements;

    private RandomFunction(Random random) {
        this.random = random;
        instructions = new RandomInstructions(random, code);
        starts = new int[1 + random.nextInt(4)];
    }

    /** Writes one that is far from too complex for the verifier, also in a JVM that has just begun. */
    static Program of(Random random) throws InvalidProgramException {
        while (true) {
            Program program = Program.decode("random", new RandomFunction(random).write());
            try {
                if (StepCount.isWithin(MOST_STEPS, program, CONDITIONS)) {
                    return program;
                }
            } catch (UnsafeProgramException e) {
                assertTrue(e.getMessage().contains("too complex"), e.getMessage());
            }
        }
    }

    private byte[] write() {
        for (function = 0; function < starts.length; function++) {
            starts[function] = code.size();
            function();
        }
        calls.forEach((call, called) -> code.lead(call, starts[called]));
        return code.bytes();
    }

    private int number(int limit) {
        return random.nextInt(limit);
    }

    /** A register with a number that lives on. */
    private int register() {
        return 6 + number(3);
    }

    private int registerOrImmediate() {
        return random.nextBoolean() ? RandomInstructions.IMMEDIATE : register();
    }

    private int slot() {
        return -8 * (1 + number(SLOTS));
    }

    private void set(int register, int value) {
        code.add(0xb7, register, 0, 0, value);
    }

    private void move(int to, int from) {
        code.add(0xbf, to, from, 0, 0);
    }

    private void add(int register, int value) {
        code.add(0x07, register, 0, 0, value);
    }

    private void function() {
        move(MESSAGE, 1);
        move(6, 2);
        set(7, number(1000));
        set(8, number(1000));
        for (int i = 1; i <= SLOTS; i++) {
            code.add(0x7a, STACK, 0, -8 * i, number(100));
        }
        statements = 4 + number(30);
        while (statements > 0) {
            body(0);
        }
        move(0, 6);
        code.add(0xaf, 0, 7, 0, 0).add(0x0f, 0, 8, 0, 0).exit();
    }

    private void body(int depth) {
        int own = 1 + number(6);
        while (own-- > 0 && statements-- > 0) {
            statement(depth);
        }
    }

    private void statement(int depth) {
        switch (number(16)) {
            case 0, 1, 2 -> instructions.arithmetic(register(), registerOrImmediate());
            case 3 -> instructions.load(register(), MESSAGE, number(LENGTH - 7));
            case 4 -> instructions.store(MESSAGE, number(LENGTH - 7), registerOrImmediate());
            case 5 -> instructions.load(register(), STACK, slot());
            case 6 -> instructions.store(STACK, slot(), registerOrImmediate());
            case 7, 8 -> copy();
            case 9, 10 -> word();
            case 11 -> helper(8);
            case 12 -> {
                set(1, number(2));
                helper(7);
            }
            case 13 -> branch(depth);
            case 14 -> loop(depth);
            default -> call(depth);
        }
    }

    private void helper(int id) {
        code.add(0x85, 0, 0, 0, id);
        addResult();
    }

    private void addResult() {
        code.add(0x0f, register(), 0, 0, 0);
    }

    /** Chooses a region and a place in it. */
    private void place(int mask) {
        set(1, number(2));
        move(2, register());
        code.add(0x57, 2, 0, 0, mask);
    }

    private void copy() {
        int length = number(32);
        place(31);
        if (random.nextBoolean()) {
            move(3, MESSAGE);
            add(3, number(LENGTH + 1 - length));
        } else {
            move(3, STACK);
            add(3, -length - number(8 * SLOTS + 1 - length));
        }
        set(4, length);
        helper(1 + number(2));
    }

    private void word() {
        place(56);
        move(3, register());
        move(4, register());
        helper(3 + number(4));
    }

    private void branch(int depth) {
        int branch = code.size();
        instructions.branch(register(), registerOrImmediate(), branch);
        body(depth);
        code.lead(branch, code.size());
    }

    private void loop(int depth) {
        if (depth == 2) {
            return;
        }
        int counter = -8 * (SLOTS + 1 + depth);
        code.add(0x7a, STACK, 0, counter, 1 + number(5));
        int head = code.size();
        body(depth + 1);
        code.add(0x79, 0, STACK, counter, 0);
        add(0, -1);
        code.add(0x7b, STACK, 0, counter, 0).branch(0x55, 0, 0, 0, head);
    }

    private void call(int depth) {
        if (depth == 0 && function + 1 < starts.length) {
            move(1, MESSAGE);
            move(2, register());
            calls.put(code.size(), function + 1 + number(starts.length - function - 1));
            code.call(0);
            addResult();
        }
    }
}
