// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.interpreter;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.Continuation;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.ResumableCode;
import io.pipedevice.active.bpf.machine.ResumableRun;
import io.pipedevice.active.bpf.machine.Stretches;

/** Runs a program instruction by instruction, as the {@link Interpreter} does, and can stop. Immutable. */
public final class ResumableInterpreter implements ResumableCode {
    private final Interpreter interpreter;
    private final Stretches stretches;

    /**
     * Prepares a program.
     *
     * @param program the program
     * @param helpers the helpers that it may call
     * @throws InvalidProgramException if it needs something that there is not
     */
    public ResumableInterpreter(Program program, Helpers helpers) throws InvalidProgramException {
        interpreter = new Interpreter(program, helpers);
        stretches = new Stretches(program, helpers);
    }

    @Override
    public ResumableRun newRun(CheckedMemory memory) {
        return new Run(memory, interpreter.execution(memory), stretches);
    }

    /** One run, which belongs to its thread. */
    private static final class Run implements ResumableRun {
        private final CheckedMemory memory;
        private final Continuation where;
        private final Execution execution;
        private final Stretches stretches;
        private long left;

        Run(CheckedMemory memory, Execution execution, Stretches stretches) {
            this.memory = memory;
            this.where = new Continuation(memory);
            this.execution = execution;
            this.stretches = stretches;
        }

        @Override
        public Progress run(long fuel) throws FaultException {
            left = fuel;
            execution.load(where);
            int at = where.position();
            while (true) {
                int length = stretches.length(at);
                if (length > left) {
                    execution.save(where, at, false);
                    return Progress.PAUSED;
                }
                left -= length;
                at = execution.stretch(at, length);
                if (at < 0) {
                    return Progress.ENDED;
                }
                if (memory.isWaiting()) {
                    memory.stopped();
                    execution.save(where, at, true);
                    return Progress.WAITS;
                }
            }
        }

        @Override
        public long result() {
            return execution.registers()[0];
        }

        @Override
        public long left() {
            return left;
        }

        @Override
        public Continuation continuation() {
            return where;
        }
    }
}
