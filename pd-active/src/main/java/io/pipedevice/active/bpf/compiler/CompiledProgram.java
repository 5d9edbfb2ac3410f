// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.interpreter.Interpreter;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.RunnableProgram;

/**
 * A program as bytecode of the JVM, in a hidden class, which is unloaded with this object. It does what the
 * {@link Interpreter} does: every access is checked when it happens; results, faults with their registers, and the
 * instruction at which the fuel ends are the same. Immutable; each run belongs to the thread that calls it.
 */
public final class CompiledProgram implements RunnableProgram {
    private final Program program;
    private final Interpreter interpreter;
    private final CompiledCode code;

    /**
     * Compiles a program.
     *
     * @param program the program
     * @param helpers the helpers that it may call
     * @throws InvalidProgramException if it needs something that there is not, or calls more than 4096 functions
     */
    public CompiledProgram(Program program, Helpers helpers) throws InvalidProgramException {
        this(program, helpers, CodeLength.MOST);
    }

    CompiledProgram(Program program, Helpers helpers, int most) throws InvalidProgramException {
        this.program = program;
        interpreter = new Interpreter(program, helpers);
        code = ClassWriter.define(new ProgramPlan(program, helpers, most, false, Places.NONE));
    }

    /** The only reference to the hidden class. */
    CompiledCode code() {
        return code;
    }

    /**
     * Runs the program. Its fuel is counted by stretches without jumps, and where the rest does not suffice for a whole
     * one, the interpreter goes on: the limit is exact.
     */
    @Override
    public long run(CheckedMemory memory, long fuel, long r1, long r2) throws FaultException {
        memory.reset();
        RunState state = new RunState(program.layout(), interpreter, memory, fuel);
        return code.run(state, r1, r2, memory.stack().push());
    }
}
