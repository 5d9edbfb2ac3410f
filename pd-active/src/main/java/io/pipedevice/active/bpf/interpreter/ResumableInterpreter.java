// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.interpreter;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.machine.Continuation;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.Memory;
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
    public ResumableRun newRun(Memory memory) {
        return new Run(memory, interpreter.execution(memory), stretches);
    }

    /** One run, which belongs to its thread. */
    private static final class Run implements ResumableRun {
        private final Memory memory;
        private final Execution execution;
        private final Stretches stretches;
        private long left;

        Run(Memory memory, Execution execution, Stretches stretches) {
            this.memory = memory;
            this.execution = execution;
            this.stretches = stretches;
        }

        @Override
        public Progress run(long fuel) throws FaultException {
            left = fuel;
            while (true) {
                int length = stretches.length(continuation().position());
                if (length > left) {
                    return Progress.PAUSED;
                }
                left -= length;
                if (!execution.stretch(length)) {
                    return Progress.ENDED;
                }
                if (memory.isWaiting()) {
                    memory.stopped();
                    continuation().registers()[0] = 0;
                    return Progress.WAITS;
                }
            }
        }

        @Override
        public long left() {
            return left;
        }

        @Override
        public Continuation continuation() {
            return execution.where();
        }
    }
}
