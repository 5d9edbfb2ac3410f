// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.Assembler;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.linux.ThreadClock;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Programs that would cost much time or memory are verified or refused nevertheless. */
class HostileProgramTest {
    private static final Conditions CONDITIONS = Conditions.ofMemory(Helpers.NONE, 16, 64);
    private static final String TOO_MANY_PATHS = "the program is too complex: too many paths meet in it";
    private static final String TOO_COMPLEX = "the program is too complex: it is not verified after 2000000 steps";

    /** So that the other limits are reached on any machine. */
    private static final long PATIENCE_MS = 60_000;

    private static VerifiedProgram verify(String text) throws Exception {
        return verify(Program.decode("hostile", Assembler.assemble(text)), new Budget(PATIENCE_MS, PATIENCE_MS));
    }

    private static VerifiedProgram verify(Program program, Budget budget) throws Exception {
        return Verifier.verify(program, CONDITIONS, (index, state) -> {}, budget);
    }

    private static String repeat(int times, String format) {
        return IntStream.range(0, times).mapToObj(i -> format.formatted(i)).collect(Collectors.joining());
    }

    private static void refused(String message, String text) {
        assertEquals(
                message,
                assertThrows(UnsafeProgramException.class, () -> verify(text)).getMessage());
    }

    @Test
    void anExponentialNumberOfPathsIsJoined() throws Exception {
        verify("r0 = 0; r3 = *(u64 *)(r1 + 0);" + repeat(300, "if r3 & %d goto +1; r0 += 1;") + "exit");
        verify("r0 = 0; r3 = *(u64 *)(r1 + 0);" + repeat(100, "if r3 & %d goto +1; *(u64 *)(r10 - 8) = r3;") + "exit");
    }

    @Test
    void manyCallsOfCallsAreRefused() {
        String calls = "call local %s;".repeat(10).replace("%s", "f%1$d");
        String functions = IntStream.range(1, 8)
                .mapToObj(i -> "f" + i + ":;" + (i < 7 ? calls.formatted(i + 1) : "r0 = 1;") + "exit;")
                .collect(Collectors.joining());
        refused(TOO_COMPLEX, calls.formatted(1) + "exit;" + functions);
    }

    @Test
    void framesFullOfValuesAreRefused() {
        String bytes = IntStream.rangeClosed(1, 512)
                .mapToObj(i -> "*(u8 *)(r10 - " + i + ") = " + i % 100 + ";")
                .collect(Collectors.joining());
        refused(
                TOO_MANY_PATHS,
                "r0 = 0; r3 = *(u64 *)(r1 + 0);" + bytes + repeat(10_000, "if r3 & %d goto +1; *(u8 *)(r10 - 7) = 3;")
                        + "exit");
    }

    /** A program of many branches, which takes hundreds of thousands of steps. */
    private static Program branches() throws Exception {
        String branches = IntStream.range(0, 10_000)
                .mapToObj(i -> "if r" + (2 + i % 8) + " > r" + (2 + (i + 1 + i / 8 % 6) % 8) + " goto +1; r"
                        + (2 + i % 8) + " += 1;")
                .collect(Collectors.joining());
        String loads = IntStream.range(2, 10)
                .mapToObj(i -> "r" + i + " = *(u8 *)(r1 + " + i + ");")
                .collect(Collectors.joining());
        return Program.decode(
                "hostile",
                Assembler.assemble(
                        "r0 = 0;" + loads + "begin:;" + branches + "r0 += 1; if r0 < 1000000000 goto begin; exit"));
    }

    @Test
    void aProgramIsRefusedWhenItsProcessorTimeIsOver() throws Exception {
        Program program = branches();
        ThreadClock clock = new ThreadClock();
        long start = clock.cpuNs();
        String message = assertThrows(UnsafeProgramException.class, () -> verify(program, new Budget(50, 50)))
                .getMessage();
        assertEquals("the program is too complex: it is not verified after 50 ms of processor time", message);
        assertTrue(clock.cpuNs() - start < TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void fewStepsHaveTheTimeThatAJvmNeedsWhichHasJustBegun() throws Exception {
        // With no other time at all, these are verified, and a program of more steps is refused.
        verify(
                Program.decode("simple", Assembler.assemble("r0 = 0;" + repeat(200, "r0 += %d;") + "exit")),
                new Budget(0, PATIENCE_MS));
        Program program = branches();
        String message = assertThrows(UnsafeProgramException.class, () -> verify(program, new Budget(0, PATIENCE_MS)))
                .getMessage();
        assertEquals("the program is too complex: it is not verified after 0 ms of processor time", message);
    }

    @Test
    void workThatIsNoStepUsesUpTheTimeOfFewSteps() throws Exception {
        Budget budget = new Budget(0, PATIENCE_MS);
        for (int i = 0; i < Budget.YOUNG_STEPS; i++) {
            budget.work();
        }
        assertThrows(UnsafeProgramException.class, () -> {
            for (int i = 0; i < 100; i++) {
                budget.work();
            }
        });
    }

    @Test
    void nestedLoopsEnd() throws Exception {
        int depth = 40;
        String begin = IntStream.range(0, depth)
                .mapToObj(i -> "*(u64 *)(r10 - " + 8 * (i + 1) + ") = 0; l" + i + ":;")
                .collect(Collectors.joining());
        String end = IntStream.iterate(depth - 1, i -> i >= 0, i -> i - 1)
                .mapToObj(i -> {
                    String counter = "*(u64 *)(r10 - " + 8 * (i + 1) + ")";
                    return "r0 = " + counter + "; r0 += 1; " + counter + " = r0; if r0 < 1000 goto l" + i + ";";
                })
                .collect(Collectors.joining());
        assertTrue(verify(begin + end + "exit").needsFuel());
    }

    @Test
    void aLongLoopIsNotFollowedToItsEnd() throws Exception {
        VerifiedProgram verified = verify("r0 = 0; r3 = 9223372036854775807 ll; r0 += 1; if r0 < r3 goto -2; exit");
        assertTrue(verified.needsFuel());
        assertThrows(
                UnsafeProgramException.class,
                () -> verify("r3 = r1; r4 = 0; r0 = *(u8 *)(r3 + 0); r3 += 1; r4 += 1; if r4 < 1000000 goto -4; exit"));
    }

    @Test
    void manyLoopsAndBackwardJumpsEnd() throws Exception {
        // each branch leads back to the begin, and each is a loop of its own
        String text =
                "r0 = 0; r3 = *(u64 *)(r1 + 0); begin:; r3 *= 3;" + repeat(400, "if r3 == %d goto begin;") + "exit";
        assertTrue(verify(text).needsFuel());
        String rings = IntStream.range(0, 300)
                .mapToObj(i -> "l" + i + ":; r3 *= 3; if r3 == " + i + " goto l" + (i * 7 % 300) + ";")
                .collect(Collectors.joining());
        verify("r0 = 0; r3 = *(u64 *)(r1 + 0);" + rings + "exit");
    }

    @Test
    void aProgramOfTheLargestSizeIsVerified() throws Exception {
        byte[] code = new byte[Program.MAX_SLOTS * 8];
        byte[] pattern = Assembler.assemble("if r2 == 3 goto +1; r0 += 1");
        byte[] first = Assembler.assemble("r0 = 0; r0 = 0");
        byte[] last = Assembler.assemble("r0 = 0; exit");
        System.arraycopy(first, 0, code, 0, 16);
        for (int i = 16; i < code.length - 16; i += 16) {
            System.arraycopy(pattern, 0, code, i, 16);
        }
        System.arraycopy(last, 0, code, code.length - 16, 16);
        verify(Program.decode("long", code), new Budget(PATIENCE_MS, PATIENCE_MS));
    }
}
