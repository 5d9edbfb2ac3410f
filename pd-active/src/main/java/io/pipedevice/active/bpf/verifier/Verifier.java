// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import java.util.function.BiConsumer;

/**
 * Shows that a program does nothing undefined, without running it: that each access is in memory which the program may
 * use, that nothing is read which was not written, and that no address leaves the program. It looks at all paths at
 * once, with intervals, bits and differences of numbers, and refuses what it cannot show.
 *
 * <p>Its memory and the processor time of its thread are bounded, whatever the program is: a program that is not
 * verified after 2 s is refused, or after 5 s if it is so simple that only a JVM that has just begun takes so long.
 */
public final class Verifier {
    private static final int UNROLLED = 64;

    private Verifier() {}

    /**
     * Verifies a program.
     *
     * @param program the program
     * @param conditions under which it will run
     * @return the program with the facts of all its runs
     * @throws UnsafeProgramException if it may do something undefined, or is too complex
     * @throws InvalidProgramException if it needs a helper that there is not
     */
    public static VerifiedProgram verify(Program program, Conditions conditions)
            throws UnsafeProgramException, InvalidProgramException {
        return verify(program, conditions, (index, state) -> {});
    }

    /**
     * As {@link #verify(Program, Conditions)}; the observer sees each state before an instruction, and may not change
     * it.
     */
    static VerifiedProgram verify(Program program, Conditions conditions, BiConsumer<Integer, State> observer)
            throws UnsafeProgramException, InvalidProgramException {
        return verify(program, conditions, observer, new Budget());
    }

    /** As {@link #verify(Program, Conditions)}, within a budget. */
    static VerifiedProgram verify(
            Program program, Conditions conditions, BiConsumer<Integer, State> observer, Budget budget)
            throws UnsafeProgramException, InvalidProgramException {
        try {
            return new ProgramAnalysis(program, conditions, observer, 0, budget).run();
        } catch (UnsafeProgramException e) {
            if (e.slot() < 0) {
                throw e;
            }
            return unrolled(program, conditions, observer, budget, e);
        }
    }

    /** Looks at iterations of loops one by one, because what is true in all of them did not suffice. */
    private static VerifiedProgram unrolled(
            Program program,
            Conditions conditions,
            BiConsumer<Integer, State> observer,
            Budget budget,
            UnsafeProgramException first)
            throws UnsafeProgramException, InvalidProgramException {
        budget.again();
        try {
            return new ProgramAnalysis(program, conditions, observer, UNROLLED, budget).run();
        } catch (UnsafeProgramException e) {
            throw e.slot() < 0 ? first : e;
        }
    }
}
