// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.interpreter.Interpreter;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Memory;

/**
 * What the methods of a compiled program hand to each other. Registers are in local variables; they are here where one part
 * of a long function ends and the next one begins, at a fault, and r1 to r5 where a function ends. Belongs to the thread that
 * runs the program.
 */
final class RunState {
    /** The memory of the program. */
    final Memory memory;

    /** How many instructions may still be executed. */
    long fuel;

    long r0;
    long r1;
    long r2;
    long r3;
    long r4;
    long r5;
    long r6;
    long r7;
    long r8;
    long r9;
    long r10;

    private final Program program;
    private final Interpreter interpreter;
    private final long granted;

    /** How the run ends, once an instruction has failed: callers of its function only pass it on. */
    private FaultException fault;

    RunState(Program program, Interpreter interpreter, Memory memory, long granted) {
        this.program = program;
        this.interpreter = interpreter;
        this.memory = memory;
        this.granted = granted;
        this.fuel = Math.max(0, granted);
    }

    /**
     * Ends the run, with the registers that are here.
     *
     * @param cause why the instruction failed; null if the fuel does not suffice for the stretch that begins with it
     * @param index the index of the instruction
     * @param left how many instructions may still be executed
     * @return the fault to throw
     */
    FaultException fault(Exception cause, int index, long left) {
        if (fault == null) {
            long[] registers = {r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10};
            int slot = program.instructions().get(index).slot();
            fault = cause == null
                    ? interpreter.fault(memory, granted, index, left, registers)
                    : FaultException.at(cause, slot, registers);
        }
        return fault;
    }
}
