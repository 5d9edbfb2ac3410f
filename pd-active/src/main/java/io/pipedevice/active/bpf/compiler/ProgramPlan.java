// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.machine.Block;
import io.pipedevice.active.bpf.machine.Helpers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The parts of a program that are compiled: the functions that can be reached, and the helpers that they call. */
final class ProgramPlan {
    /** The most functions. Each takes entries of the constant pool, of which a class has 65,535. */
    static final int MAX_FUNCTIONS = 4096;

    private final List<Instruction> code;
    private final Helpers helpers;
    private final boolean canStop;
    private final Places places;
    private final ConstantLoader constants = new ConstantLoader();

    /** By the index of their first instruction. */
    private final Map<Integer, FunctionPlan> functions = new TreeMap<>();

    private final Set<Integer> called = new HashSet<>();

    /** The objects to which the class refers: all helpers, and after them those that are called by their numbers. */
    private final List<Object> classData;

    /** Indexes in the class data, by number. */
    private final Map<Long, Integer> helperIndexes = new HashMap<>();

    /**
     * Plans the methods.
     *
     * @param program the program
     * @param available the helpers that it may call
     * @param most the bytes that the stretches of a method with more than one may have: tests choose less than
     *     {@link CodeLength#MOST}
     * @param canStop whether runs can stop and resume
     * @param places the facts about accesses
     */
    ProgramPlan(Program program, Helpers available, int most, boolean canStop, Places places)
            throws InvalidProgramException {
        code = program.instructions();
        helpers = available;
        this.canStop = canStop;
        this.places = places;
        classData = new ArrayList<>(List.of(available));
        Map<Integer, Integer> ends = new HashMap<>();
        List<Integer> starts = program.functions();
        for (int i = 0; i < starts.size(); i++) {
            ends.put(starts.get(i), i + 1 < starts.size() ? starts.get(i + 1) : code.size());
        }
        CodeLength length = new CodeLength(constants, most, canStop);
        Deque<Integer> open = new ArrayDeque<>(List.of(0));
        while (!open.isEmpty()) {
            int start = open.pop();
            if (!functions.containsKey(start)) {
                if (functions.size() == MAX_FUNCTIONS) {
                    throw new InvalidProgramException("the program calls more than " + MAX_FUNCTIONS
                            + " functions, which can only be interpreted");
                }
                FunctionPlan plan = new FunctionPlan(code, start, ends.get(start), length, available);
                functions.put(start, plan);
                for (List<Block> part : plan.parts()) {
                    for (Block each : part) {
                        addCalls(each, available, open);
                    }
                }
            }
        }
    }

    private void addCalls(Block block, Helpers available, Deque<Integer> open) throws InvalidProgramException {
        for (Instruction each : code.subList(block.start(), block.end())) {
            if (each.operation() == Operation.CALL_LOCAL) {
                called.add(each.target());
                open.push(each.target());
            } else if (each.operation() == Operation.CALL_HELPER
                    && helperIndexes.putIfAbsent(each.immediate(), classData.size()) == null) {
                classData.add(available.calledBy(each).function());
            }
        }
    }

    /** The instructions of the program. */
    List<Instruction> code() {
        return code;
    }

    ConstantLoader constants() {
        return constants;
    }

    /** Whether runs can stop and resume. */
    boolean canStop() {
        return canStop;
    }

    /** The facts about accesses. */
    Places places() {
        return places;
    }

    /** Whether an instruction calls a helper that can make a run wait. */
    boolean mayWait(Instruction it) {
        return helpers.mayWait(it);
    }

    /** The functions in the order of the code. */
    Iterable<FunctionPlan> functions() {
        return functions.values();
    }

    /** Whether a local call leads to a function. */
    boolean isCalled(FunctionPlan function) {
        return called.contains(function.start());
    }

    /** The objects to which the class refers. */
    List<Object> classData() {
        return List.copyOf(classData);
    }

    /** The index in the class data of the helper that an instruction calls. */
    int helper(Instruction call) {
        return helperIndexes.get(call.immediate());
    }
}
