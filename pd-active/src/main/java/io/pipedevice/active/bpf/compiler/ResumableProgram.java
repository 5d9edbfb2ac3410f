// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.ProgramLayout;
import io.pipedevice.active.bpf.interpreter.ResumableInterpreter;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.Continuation;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.ResumableCode;
import io.pipedevice.active.bpf.machine.ResumableRun;
import io.pipedevice.active.bpf.verifier.VerifiedProgram;

/**
 * A program as bytecode of the JVM that can stop, and do all that the {@link ResumableInterpreter} does, at the same
 * places. Immutable.
 */
public final class ResumableProgram implements ResumableCode {
    private final ProgramLayout program;
    private final CompiledCode code;
    private final int[] entries;
    private final int[] reentries;

    /**
     * Compiles a program whose first parameter is the first region.
     *
     * @param program the program
     * @param helpers the helpers that it may call
     * @throws InvalidProgramException if it needs something that there is not, calls more than 4096 functions, or calls
     *     a helper by a number that it computes
     */
    public ResumableProgram(VerifiedProgram program, Helpers helpers) throws InvalidProgramException {
        this(program.program(), helpers, CodeLength.MOST, new Places(program.accesses()));
    }

    ResumableProgram(Program program, Helpers helpers, int most, Places places) throws InvalidProgramException {
        helpers.requireAllOf(program);
        for (Instruction each : program.instructions()) {
            if (each.operation() == Operation.CALL_REGISTER) {
                throw InvalidProgramException.at(
                        each.slot(), "a program that can stop calls helpers by constant numbers (clang -O2)");
            }
        }
        this.program = program.layout();
        ProgramPlan plan = new ProgramPlan(program, helpers, most, true, places);
        code = ClassWriter.define(plan);
        entries = new int[program.instructions().size() + 1];
        reentries = new int[entries.length];
        plan.functions().forEach(each -> each.copyEntries(entries, reentries));
    }

    @Override
    public ResumableRun newRun(CheckedMemory memory) {
        Continuation where = new Continuation(memory);
        return new Run(code, where, new RunState(program, where, memory, entries, reentries));
    }

    /** One run, which belongs to its thread. */
    private static final class Run implements ResumableRun {
        private final CompiledCode code;
        private final Continuation where;
        private final RunState state;
        private long result;

        Run(CompiledCode code, Continuation where, RunState state) {
            this.code = code;
            this.where = where;
            this.state = state;
        }

        @Override
        public Progress run(long fuel) throws FaultException {
            state.begin(fuel);
            result = where.begins()
                    ? code.run(state, where.register(1), where.register(2), state.stack.end(0))
                    : code.resume(state);
            if (state.hasStopped) {
                return state.waits() ? Progress.WAITS : Progress.PAUSED;
            }
            return Progress.ENDED;
        }

        @Override
        public long result() {
            return result;
        }

        @Override
        public long left() {
            return state.fuel;
        }

        @Override
        public Continuation continuation() {
            return where;
        }
    }
}
