// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.Program;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * Where a program can stop and resume: at the beginning of each stretch without jumps that can be reached. Its fuel is
 * counted by stretches: it executes a whole one, or stops before it. Immutable.
 */
public final class Stretches {
    /** The helpers that may wait, by the index of the instruction after their call; -1 elsewhere. */
    private final int[] helpersBefore;

    /** The functions that were called, by the index of the instruction after the call; -1 elsewhere. */
    private final int[] calledBefore;

    /**
     * The lengths of the stretches that begin with instructions, at most {@link ControlFlow#MAX_LENGTH}; 0 elsewhere.
     */
    private final byte[] lengths;

    /** The first instructions of the functions of instructions; -1 where none is executed. */
    private final int[] functions;

    /**
     * Divides a program.
     *
     * @param program the program
     * @param helpers the helpers that it may call
     */
    public Stretches(Program program, Helpers helpers) {
        List<Instruction> code = program.instructions();
        lengths = new byte[code.size()];
        functions = new int[code.size()];
        helpersBefore = new int[code.size() + 1];
        calledBefore = new int[code.size() + 1];
        Arrays.fill(functions, -1);
        Arrays.fill(helpersBefore, -1);
        Arrays.fill(calledBefore, -1);
        Deque<Integer> open = new ArrayDeque<>(List.of(0));
        while (!open.isEmpty()) {
            int start = open.pop();
            if (functions[start] < 0) {
                add(code, helpers, start, end(program, start), open);
            }
        }
    }

    private static int end(Program program, int start) {
        List<Integer> starts = program.functions();
        int next = Collections.binarySearch(starts, start) + 1;
        return next < starts.size() ? starts.get(next) : program.instructions().size();
    }

    private void add(List<Instruction> code, Helpers helpers, int start, int end, Deque<Integer> open) {
        for (Block block : ControlFlow.blocks(code, start, end, helpers)) {
            lengths[block.start()] = (byte) block.length();
            Arrays.fill(functions, block.start(), block.end(), start);
            Instruction last = block.last(code);
            if (last.operation() == Operation.CALL_LOCAL) {
                open.push(last.target());
                calledBefore[block.end()] = last.target();
            } else if (helpers.mayWait(last)) {
                helpersBefore[block.end()] = (int) last.immediate();
            }
        }
    }

    /**
     * The length of a stretch.
     *
     * @param index the index of an instruction
     * @return how many instructions it has; 0 if none begins there
     */
    public int length(int index) {
        return lengths[index];
    }

    /**
     * The function of an instruction.
     *
     * @param index the index of an instruction
     * @return the index of the first instruction of its function; -1 if it is never executed
     */
    public int function(int index) {
        return functions[index];
    }

    /**
     * Whether a run can stop before an instruction of a function.
     *
     * @param index any number
     * @param function the index of the first instruction of the function
     * @return whether a stretch of the function begins there
     */
    public boolean canStopAt(int index, int function) {
        return index >= 0 && index < lengths.length && lengths[index] > 0 && functions[index] == function;
    }

    /**
     * The helper that a run may wait for that stops before an instruction.
     *
     * @param index where it {@linkplain #canStopAt can stop}
     * @return the number of the helper that the instruction before has called; -1 if there is none that may wait
     */
    public int helperBefore(int index) {
        return helpersBefore[index];
    }

    /**
     * The function that has been called before an instruction.
     *
     * @param index the index of an instruction
     * @return the index of its first instruction; -1 if none has been called
     */
    public int calledBefore(int index) {
        return calledBefore[index];
    }
}
