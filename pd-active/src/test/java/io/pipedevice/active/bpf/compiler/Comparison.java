// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.RandomCode;
import io.pipedevice.active.bpf.interpreter.Interpreter;
import java.lang.foreign.Arena;

/**
 * Runs a program in the interpreter and compiled, each with memory of its own, and tells all that can be seen of a run.
 */
final class Comparison implements AutoCloseable {
    private final Arena arena = Arena.ofConfined();
    private final TestMachine interpreting;
    private final TestMachine compiling;
    private final Interpreter interpreter;
    private final CompiledProgram compiled;

    Comparison(byte[] code, int most) throws InvalidProgramException {
        Program program = Program.decode("test", code, RandomCode.DATA);
        interpreting = new TestMachine(program, arena, false);
        compiling = new TestMachine(program, arena, false);
        interpreter = new Interpreter(program, interpreting.helpers());
        compiled = new CompiledProgram(program, compiling.helpers(), most);
    }

    /** How a run in the interpreter ends; memory stays as the runs before have left it. */
    String interpreted(long fuel) {
        return interpreting.run(interpreter, fuel);
    }

    /** How a compiled run ends. */
    String compiled(long fuel) {
        return compiling.run(compiled, fuel);
    }

    @Override
    public void close() {
        arena.close();
    }
}
