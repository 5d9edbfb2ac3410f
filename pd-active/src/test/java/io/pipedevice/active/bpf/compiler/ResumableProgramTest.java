// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.Assembler;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.RandomCode;
import io.pipedevice.active.bpf.interpreter.ResumableInterpreter;
import io.pipedevice.active.bpf.machine.Continuation;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.ResumableRun;
import io.pipedevice.active.bpf.machine.ResumableRun.Progress;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random programs that nobody has verified stop at the same places, compiled and in the interpreter, and go on in the
 * same way.
 */
class ResumableProgramTest {
    private static final int SECONDS = Integer.getInteger("pipedevice.test.random.seconds", 1);
    private static final long SEED = Long.getLong("pipedevice.test.seed", System.nanoTime());
    /** A run that does not end fails. */
    private static final Duration ENDLESS = Duration.ofSeconds(60L + SECONDS);

    /** The current seed; written by the thread that runs programs. */
    private volatile long seed;

    /** One run, and all that can be seen of it. */
    private static final class Subject {
        private final TestMachine machine;
        private final ResumableRun run;
        private Progress progress = Progress.PAUSED;

        Subject(TestMachine machine, ResumableRun run) throws FaultException {
            this.machine = machine;
            this.run = run;
            run.continuation().begin(machine.memory().address(0), 64);
        }

        boolean hasEnded() {
            return progress == Progress.ENDED;
        }

        /** A turn: how it ends, and where the run is. */
        String turn(long fuel) {
            Continuation where = run.continuation();
            if (progress == Progress.WAITS) {
                where.supply(machine.pending());
            }
            try {
                progress = run.run(fuel);
            } catch (FaultException e) {
                progress = Progress.ENDED;
                return e.getMessage() + machine.contents();
            }
            StringBuilder text = new StringBuilder(progress.toString());
            if (progress == Progress.ENDED) {
                return text.append(run.result()).append(machine.contents()).toString();
            }
            text.append(" at ").append(where.position()).append(", left ").append(run.left());
            for (int i = progress == Progress.WAITS ? 6 : 0; i < 10; i++) {
                text.append(", ").append(where.register(i));
            }
            for (int i = 0; i < where.depth(); i++) {
                text.append("; ").append(where.returnTo(i));
                for (int j = 6; j < 10; j++) {
                    text.append(" ").append(where.saved(i, j));
                }
            }
            return text.append(machine.contents()).toString();
        }
    }

    @Test
    void compiledProgramsStopWhereTheInterpreterDoes() {
        assertTimeoutPreemptively(ENDLESS, this::runAll, () -> "-Dpipedevice.test.seed=" + seed);
    }

    private void runAll() throws Exception {
        System.out.println("programs that stop: -Dpipedevice.test.seed=" + SEED);
        int programs = 0;
        int stops = 0;
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        for (; programs < 50 || System.nanoTime() < end; programs++) {
            seed = SEED + programs;
            stops += compare(seed);
        }
        System.out.println("programs that stop: " + programs + ", with " + stops + " stops");
        assertTrue(stops > programs, "too few programs stop");
    }

    private static int compare(long seed) throws InvalidProgramException, FaultException {
        Random random = new Random(seed);
        int length = random.nextInt(40) == 0 ? 1000 : random.nextInt(4) == 0 ? 200 : 20;
        byte[] code = RandomCode.runnable(random, 1 + random.nextInt(4), length);
        Program program = Program.decode("test", code, RandomCode.DATA);
        // half of the programs have functions of many parts
        int most = random.nextBoolean() ? CodeLength.MOST : random.nextInt(400);
        try (Arena arena = Arena.ofConfined()) {
            TestMachine interpreting = new TestMachine(program, arena, true);
            TestMachine compiling = new TestMachine(program, arena, true);
            Subject interpreted = new Subject(
                    interpreting,
                    new ResumableInterpreter(program, interpreting.helpers()).newRun(interpreting.memory()));
            Subject compiled = new Subject(
                    compiling,
                    new ResumableProgram(program, compiling.helpers(), most, Places.NONE).newRun(compiling.memory()));
            int turns = 0;
            while (turns < 100 && !interpreted.hasEnded()) {
                long fuel = random.nextInt(random.nextBoolean() ? 70 : 300);
                String message = "-Dpipedevice.test.seed=" + seed + ", turn " + turns++;
                assertEquals(interpreted.turn(fuel), compiled.turn(fuel), message);
            }
            return turns;
        }
    }

    @Test
    void helpersWithComputedNumbersAreRefused() throws Exception {
        Program program = Program.decode("test", Assembler.assemble("r1 = 1; callx r1; exit"));
        String message = assertThrows(
                        InvalidProgramException.class,
                        () -> new ResumableProgram(program, Helpers.NONE, CodeLength.MOST, Places.NONE))
                .getMessage();
        assertEquals("instruction 1: a program that can stop calls helpers by constant numbers (clang -O2)", message);
    }
}
