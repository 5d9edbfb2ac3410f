// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.interpreter;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.RunnableProgram;

/**
 * Runs a program that need not be verified: every access is checked when it happens, and a run ends after a number of
 * instructions at the latest. Immutable; each run belongs to the thread that calls it.
 */
public final class Interpreter implements RunnableProgram {
    private final Instruction[] code;

    private final Helpers helpers;

    /** By the index of the instruction that calls it. */
    private final Helper[] called;

    /**
     * Prepares a program.
     *
     * @param program the program
     * @param helpers the helpers that it may call
     * @throws InvalidProgramException if it needs something that there is not
     */
    public Interpreter(Program program, Helpers helpers) throws InvalidProgramException {
        helpers.requireAllOf(program);
        this.helpers = helpers;
        code = program.instructions().toArray(Instruction[]::new);
        called = new Helper[code.length];
        for (int i = 0; i < code.length; i++) {
            called[i] = code[i].operation() == Operation.CALL_HELPER ? helpers.calledBy(code[i]) : null;
        }
    }

    Execution execution(CheckedMemory memory) {
        return new Execution(code, called, helpers, memory);
    }

    @Override
    public long run(CheckedMemory memory, long fuel, long r1, long r2) throws FaultException {
        memory.reset();
        return execution(memory).run(fuel, r1, r2);
    }

    /**
     * Goes on in the middle of a function, where compiled code has stopped because its fuel does not suffice for the
     * next instructions. Those return from no function.
     *
     * @param memory the memory of the run, with its stack frames
     * @param fuel the largest number of instructions of the whole run
     * @param index the index of the next instruction
     * @param rest how many instructions may still be executed
     * @param registers r0 to r10
     * @return how the run ends
     */
    public FaultException fault(CheckedMemory memory, long fuel, int index, long rest, long[] registers) {
        try {
            Execution execution = execution(memory);
            System.arraycopy(registers, 0, execution.registers(), 0, registers.length);
            execution.run(index, rest, fuel);
        } catch (FaultException e) {
            return e;
        }
        throw new IllegalStateException("the program has ended");
    }
}
