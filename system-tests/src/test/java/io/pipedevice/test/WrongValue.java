// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import java.util.Random;

/** A wrong value of a word or field, made from its present value. */
final class WrongValue {
    private static final long RING = 4096;
    private static final long SHORT = 16;

    private static final Rule[] RULES = {
        new Rule("0", (before, operand) -> 0),
        new Rule("-1", (before, operand) -> -1),
        new Rule("plus 1", (before, operand) -> before + 1),
        new Rule("minus 1", (before, operand) -> before - 1),
        new Rule("plus a ring and 1", (before, operand) -> before + RING + 1),
        new Rule("minus a ring", (before, operand) -> before - RING),
        new Rule("plus 2^31", (before, operand) -> before + (1L << 31)),
        new Rule("plus 2^32", (before, operand) -> before + (1L << 32)),
        new Rule("the largest", (before, operand) -> Long.MAX_VALUE),
        new Rule("the smallest", (before, operand) -> Long.MIN_VALUE),
        new Rule("the largest int", (before, operand) -> Integer.MAX_VALUE),
        new Rule("halves exchanged", (before, operand) -> Long.rotateLeft(before, 32)),
        new Rule("another bit", (before, operand) -> before ^ 1L << operand),
        new Rule("another lower bit", (before, operand) -> before ^ 1L << (operand & 31)),
        new Rule("a small number", (before, operand) -> operand & SHORT - 1),
        new Rule("any", (before, operand) -> operand),
    };

    private interface Change {
        long of(long before, long operand);
    }

    private record Rule(String name, Change change) {}

    private final Rule rule;
    private final long operand;

    private WrongValue(Rule rule, long operand) {
        this.rule = rule;
        this.operand = operand;
    }

    /** Draws the next one. The number of random numbers that this takes does not depend on any value. */
    static WrongValue next(Random random) {
        return new WrongValue(RULES[random.nextInt(RULES.length)], random.nextLong());
    }

    long of(long before) {
        return rule.change.of(before, operand);
    }

    @Override
    public String toString() {
        return rule.name + " (" + Long.toHexString(operand) + ")";
    }
}
