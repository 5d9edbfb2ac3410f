// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

/** Thrown for bytes that are not a program that can run. The message names the instruction, or the part of the file. */
public final class InvalidProgramException extends Exception {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message the defect and its place
     */
    public InvalidProgramException(String message) {
        super(message);
    }

    /**
     * Creates an exception of one instruction.
     *
     * @param slot its {@linkplain Instruction#slot() position}
     * @param problem its defect
     * @return an exception whose message has both
     */
    public static InvalidProgramException at(int slot, String problem) {
        return new InvalidProgramException("instruction " + slot + ": " + problem);
    }
}
