// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.Program;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Where a program can stop and go on: at the beginning of each stretch without jumps that can be reached. Its fuel is counted by
 * stretches: it executes a whole one, or stops before it. Immutable.
 */
public final class Stretches {
    private final List<Instruction> code;
    private final Helpers helpers;

    /** The lengths of the stretches that begin with instructions; 0 elsewhere. */
    private final int[] lengths;

    /** The first instructions of the functions of instructions; -1 where none is executed. */
    private final int[] functions;

    /**
     * Divides a program.
     *
     * @param program the program
     * @param helpers the helpers that it may call
     */
    public Stretches(Program program, Helpers helpers) {
        this.code = program.instructions();
        this.helpers = helpers;
        lengths = new int[code.size()];
        functions = new int[code.size()];
        Arrays.fill(functions, -1);
        Deque<Integer> open = new ArrayDeque<>(List.of(0));
        while (!open.isEmpty()) {
            int start = open.pop();
            if (functions[start] < 0) {
                add(start, end(program.functions(), start), open);
            }
        }
    }

    private int end(List<Integer> starts, int start) {
        int next = starts.indexOf(start) + 1;
        return next < starts.size() ? starts.get(next) : code.size();
    }

    private void add(int start, int end, Deque<Integer> open) {
        for (Block block : ControlFlow.blocks(code, start, end, helpers)) {
            lengths[block.start()] = block.length();
            Arrays.fill(functions, block.start(), block.end(), start);
            Instruction last = block.last(code);
            if (last.operation() == Operation.CALL_LOCAL) {
                open.push(last.target());
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
        boolean mayWait = index > 0 && functions[index - 1] == functions[index] && helpers.mayWait(code.get(index - 1));
        return mayWait ? (int) code.get(index - 1).immediate() : -1;
    }

    /**
     * The function that has been called before an instruction.
     *
     * @param index where a run {@linkplain #canStopAt can stop}
     * @return the index of its first instruction; -1 if none has been called
     */
    public int calledBefore(int index) {
        boolean isCall = index > 0
                && functions[index - 1] == functions[index]
                && code.get(index - 1).operation() == Operation.CALL_LOCAL;
        return isCall ? code.get(index - 1).target() : -1;
    }
}
