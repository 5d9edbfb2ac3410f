// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

/**
 * A program that runs from its first instruction to its end. Immutable; each run belongs to the thread that calls it.
 */
public interface RunnableProgram {
    /**
     * Runs the program.
     *
     * @param memory memory that was laid out for this program
     * @param fuel the largest number of instructions
     * @param r1 the first argument of the program
     * @param r2 the second argument of the program
     * @return r0 at the end
     * @throws FaultException if the program does something undefined, or uses up its fuel
     */
    long run(CheckedMemory memory, long fuel, long r1, long r2) throws FaultException;
}
