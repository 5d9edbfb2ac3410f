// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Instruction;
import java.util.List;

/**
 * A stretch of instructions that is entered at its first one and left after its last one only. Calls of helpers are inside of
 * stretches, local calls are the end of one.
 *
 * @param start the index of the first instruction
 * @param end the index behind the last one
 * @param successors where the stretches begin that can follow in the same function, the one behind this one first
 */
record Block(int start, int end, List<Integer> successors) {
    int length() {
        return end - start;
    }

    Instruction last(List<Instruction> code) {
        return code.get(end - 1);
    }
}
