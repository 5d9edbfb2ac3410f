// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

import java.util.List;
import java.util.TreeSet;

/** Divides code into functions, which only calls enter and only an exit leaves. */
final class FunctionSplitter {
    private FunctionSplitter() {}

    /**
     * Where functions begin: the first instruction, and all whose address is called or loaded.
     *
     * @return indexes, ascending
     */
    static List<Integer> starts(List<Instruction> code) throws InvalidProgramException {
        TreeSet<Integer> starts = new TreeSet<>(List.of(0));
        for (Instruction each : code) {
            if (each.operation() == Operation.CALL_LOCAL || each.operation() == Operation.LOAD_CODE) {
                starts.add(each.target());
            }
        }
        List<Integer> result = List.copyOf(starts);
        for (int i = 0; i < result.size(); i++) {
            int end = i + 1 < result.size() ? result.get(i + 1) : code.size();
            check(code, result.get(i), end);
        }
        return result;
    }

    private static void check(List<Instruction> code, int start, int end) throws InvalidProgramException {
        for (Instruction each : code.subList(start, end)) {
            boolean jumps = each.operation().kind() == Operation.Kind.JUMP
                    || each.operation().kind() == Operation.Kind.BRANCH;
            if (jumps && (each.target() < start || each.target() >= end)) {
                throw InvalidProgramException.at(
                        each.slot(),
                        "it leads to instruction " + code.get(each.target()).slot() + ", into another function");
            }
        }
        Instruction last = code.get(end - 1);
        if (last.operation() != Operation.EXIT && last.operation() != Operation.JUMP) {
            throw InvalidProgramException.at(
                    last.slot(), "the function ends with it, and it is neither an exit nor a jump");
        }
    }
}
