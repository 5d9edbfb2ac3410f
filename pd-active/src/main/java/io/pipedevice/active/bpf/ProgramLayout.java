// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What a run needs of a program beside its compiled code, without its instructions, which take much more memory.
 * Immutable.
 */
public final class ProgramLayout {
    private final List<MemorySegment> data;

    /** By the index of an instruction; null if each instruction has one slot. */
    private final int[] slots;

    ProgramLayout(List<Instruction> instructions, List<MemorySegment> data) {
        this.data = data;
        boolean isRegular = instructions.getLast().slot() == instructions.size() - 1;
        slots = isRegular
                ? null
                : instructions.stream().mapToInt(Instruction::slot).toArray();
    }

    /**
     * The constants of the program.
     *
     * @return read-only memory
     */
    public List<MemorySegment> data() {
        return data;
    }

    /**
     * The position of an instruction.
     *
     * @param index its index
     * @return its {@linkplain Instruction#slot() slot}
     */
    public int slot(int index) {
        return slots == null ? index : slots[index];
    }
}
