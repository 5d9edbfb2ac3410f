// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import io.pipedevice.active.bpf.Instruction;
import java.util.List;

/**
 * A stretch of instructions that is entered at its first one and left after its last one only. Local calls, and calls
 * of helpers that may wait, are the end of a stretch; those of other helpers are inside of one.
 *
 * @param start the index of the first instruction
 * @param end the index behind the last one
 * @param successors where the stretches begin that can follow in the same function, the one behind this one first
 */
public record Block(int start, int end, List<Integer> successors) {
    /**
     * The number of its instructions.
     *
     * @return at least 1
     */
    public int length() {
        return end - start;
    }

    /**
     * Its last instruction.
     *
     * @param code the instructions of the program
     * @return a jump, if the next stretch is not the only one that follows
     */
    public Instruction last(List<Instruction> code) {
        return code.get(end - 1);
    }
}
