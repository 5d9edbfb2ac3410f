// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.Arithmetic;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.Operation.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * What is known about numbers is true of all of them, whatever is computed. {@code -Dverifier.seed} repeats a failure.
 */
class NumberTest {
    private static final int ROUNDS = 150_000;
    private static final long[] CORNERS = {
        0,
        1,
        2,
        7,
        8,
        -1,
        -2,
        63,
        64,
        31,
        32,
        0x7fff_ffffL,
        0x8000_0000L,
        0xffff_ffffL,
        0x1_0000_0000L,
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        Integer.MIN_VALUE
    };
    private static final List<Operation> ARITHMETIC = of(Kind.ARITHMETIC);
    private static final List<Operation> BRANCHES = of(Kind.BRANCH);

    private final long seed = Long.getLong("verifier.seed", System.nanoTime());
    private final Random random = new Random(seed);

    private static List<Operation> of(Kind kind) {
        return Arrays.stream(Operation.values())
                .filter(each -> each.kind() == kind)
                .toList();
    }

    private long concrete() {
        long corner = CORNERS[random.nextInt(CORNERS.length)];
        return switch (random.nextInt(4)) {
            case 0 -> corner;
            case 1 -> corner + random.nextInt(20) - 10;
            case 2 -> random.nextInt(300);
            default -> random.nextLong() >> random.nextInt(64);
        };
    }

    /** What is known about a number, of which it is one among a few. */
    private Num abstraction(long number) {
        Num result = Num.constant(number);
        for (int i = random.nextInt(4); i > 0; i--) {
            long other = random.nextBoolean() ? number + random.nextInt(16) : concrete();
            result = result.join(Num.constant(other));
        }
        return result;
    }

    private int width(Operation operation) {
        return switch (operation) {
            case LE, BE, BSWAP -> 16 << random.nextInt(3);
            case MOVSX32 -> 64;
            default -> random.nextBoolean() ? 64 : 32;
        };
    }

    @Test
    void resultsOfArithmeticAreKnown() {
        for (int i = 0; i < ROUNDS; i++) {
            long left = concrete();
            long right = concrete();
            Num one = abstraction(left);
            Num other = abstraction(right);
            Operation operation = ARITHMETIC.get(random.nextInt(ARITHMETIC.size()));
            int width = width(operation);
            long result = Arithmetic.compute(operation, width, left, right);
            Num known = NumberArithmetic.compute(operation, width, one, other);
            Supplier<String> message = () -> "seed " + seed + ": " + left + " of " + one + " " + operation + width + " "
                    + right + " of " + other + " is " + result + ", not in " + known;
            assertNotNull(known, message);
            assertTrue(known.contains(result), message);
        }
    }

    /** What is known, each part of it about another number. */
    private Num contradiction() {
        return new Num(
                abstraction(concrete()).wide(),
                abstraction(concrete()).low(),
                abstraction(concrete()).bits());
    }

    @Test
    void operandsThatContradictThemselvesHaveAResult() {
        Thresholds thresholds = new Thresholds();
        for (int i = 0; i < ROUNDS; i++) {
            Num one = contradiction();
            Num other = contradiction();
            Operation operation = ARITHMETIC.get(random.nextInt(ARITHMETIC.size()));
            int width = width(operation);
            Supplier<String> message = () -> "seed " + seed + ": " + one + " " + operation + width + " " + other;
            assertNotNull(NumberArithmetic.compute(operation, width, one, other), message);
            assertNotNull(one.join(other), message);
            assertNotNull(one.widen(other, thresholds), message);
        }
    }

    @Test
    void aBranchKeepsTheNumbersThatTakeIt() {
        for (int i = 0; i < ROUNDS; i++) {
            long left = concrete();
            long right = random.nextInt(4) == 0 ? left : concrete();
            Num one = abstraction(left);
            Num other = abstraction(right);
            Operation operation = BRANCHES.get(random.nextInt(BRANCHES.size()));
            int width = random.nextBoolean() ? 64 : 32;
            boolean isTaken = Arithmetic.test(operation, width, left, right);
            NumberPair pair = new NumberPair(one, other);
            Operation condition = isTaken ? operation : NumberPair.opposite(operation);
            NumberPair refined = condition == null ? pair.disjoint(width) : pair.assume(condition, width);
            Supplier<String> message = () -> "seed " + seed + ": " + left + " of " + one + " " + operation + width + " "
                    + right + " of " + other + ", taken " + isTaken + ", not in " + refined;
            assertNotNull(refined, message);
            assertTrue(refined.left().contains(left) && refined.right().contains(right), message);
        }
    }

    @Test
    void aWidenedNumberHasBoth() {
        Thresholds thresholds = new Thresholds();
        Arrays.stream(CORNERS).forEach(thresholds::add);
        for (int i = 0; i < ROUNDS; i++) {
            long left = concrete();
            long right = concrete();
            Num wide = abstraction(left).widen(abstraction(right), thresholds);
            assertTrue(wide.contains(left) && wide.contains(right), () -> "seed " + seed + ": " + left + ", " + right);
        }
    }

    @Test
    void boundsAreAsNarrowAsTheyShouldBe() {
        Num byteNumber = Num.ofWidth(8);
        Num small = Num.unsigned(1, 6);
        assertEquals("0..255", byteNumber.text());
        assertEquals(
                "0..15",
                NumberArithmetic.compute(Operation.AND, 64, Num.UNKNOWN, Num.constant(15))
                        .text());
        assertEquals(
                "0..2040&0x7f8",
                NumberArithmetic.compute(Operation.LSH, 64, byteNumber, Num.constant(3))
                        .text());
        assertEquals(
                "0..31",
                NumberArithmetic.compute(Operation.RSH, 32, byteNumber, Num.constant(3))
                        .text());
        assertEquals(
                "-6..254",
                NumberArithmetic.compute(Operation.SUB, 64, byteNumber, small).text());
        assertEquals(
                "2..12",
                NumberArithmetic.compute(Operation.ADD, 64, small, small).text());
        assertEquals(
                "1..36",
                NumberArithmetic.compute(Operation.MUL, 64, small, small).text());
        assertEquals(
                "0..9",
                NumberArithmetic.compute(Operation.MOD, 64, Num.UNKNOWN, Num.constant(10))
                        .text());
        assertEquals(
                "-128..127",
                NumberArithmetic.compute(Operation.MOVSX8, 64, Num.UNKNOWN, Num.UNKNOWN)
                        .text());
        assertEquals(
                "0..4294967295",
                NumberArithmetic.compute(Operation.MOV, 32, Num.UNKNOWN, Num.UNKNOWN)
                        .text());
        assertEquals(
                "0..65535",
                NumberArithmetic.compute(Operation.BE, 16, Num.UNKNOWN, Num.UNKNOWN)
                        .text());
    }
}
