// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Program;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A program, and facts that are true in all its runs under the conditions that it was verified for.
 *
 * @param program the program
 * @param accesses by the index of an instruction: where a load, a store or an atomic operation accesses memory
 * @param frameLengths by the index of the first instruction of a function: the bytes at the end of its stack frame that
 *     are used, where there are any
 * @param stackLength the bytes of all stack frames together that can be in use at the same time
 * @param needsFuel whether it has a loop of which no bound was found; without one it may run for long, too, by nested
 *     loops
 * @param unreachable the indexes of instructions that are never executed, which were not verified
 */
public record VerifiedProgram(
        Program program,
        List<Optional<Access>> accesses,
        Map<Integer, Integer> frameLengths,
        int stackLength,
        boolean needsFuel,
        List<Integer> unreachable) {
    /** A loop that may have more iterations than these needs fuel. */
    public static final long MAX_ITERATIONS = 1 << 20;

    /** Copies the lists and the map. */
    public VerifiedProgram {
        accesses = List.copyOf(accesses);
        frameLengths = Map.copyOf(frameLengths);
        unreachable = List.copyOf(unreachable);
    }
}
