// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Instruction;

/** A program may do something undefined, or the verifier cannot show that it does not. The message is one line. */
public final class UnsafeProgramException extends Exception {
    private static final long serialVersionUID = 1;

    private final int slot;

    UnsafeProgramException(String message) {
        super(message);
        slot = -1;
    }

    UnsafeProgramException(Instruction instruction, String problem, String registers) {
        super("instruction " + instruction.slot() + ": " + instruction + ": " + problem + " (" + registers + ")");
        slot = instruction.slot();
    }

    /**
     * The position of the instruction.
     *
     * @return its {@linkplain Instruction#slot() slot}; -1 if the whole program is meant
     */
    public int slot() {
        return slot;
    }
}
