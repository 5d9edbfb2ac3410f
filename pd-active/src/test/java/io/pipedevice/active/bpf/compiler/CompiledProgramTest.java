// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.active.bpf.Assembler;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.interpreter.InterpreterTest;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.Helpers;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compiled programs do what the interpreter does. */
class CompiledProgramTest extends InterpreterTest {
    @Override
    protected Engine engine(Program program, Helpers available) throws InvalidProgramException {
        return new CompiledProgram(program, available)::run;
    }

    private static Program program(String text) throws InvalidProgramException {
        return Program.decode("test", Assembler.assemble(text));
    }

    private static WeakReference<Class<?>> runOnce() throws Exception {
        Program program = program("r0 = 5; exit");
        CompiledProgram compiled = new CompiledProgram(program, Helpers.NONE);
        assertEquals(5, compiled.run(new CheckedMemory(program, List.of()), 2, 0, 0));
        return new WeakReference<>(compiled.code().getClass());
    }

    @Test
    @Timeout(60)
    void theClassIsUnloadedWithItsProgram() throws Exception {
        WeakReference<Class<?>> reference = runOnce();
        while (!reference.refersTo(null)) {
            System.gc();
            Thread.sleep(1);
        }
    }

    @Test
    void twoProgramsAreTwoClasses() throws Exception {
        Program five = program("r0 = 5; exit");
        Program six = program("r0 = 6; exit");
        CompiledProgram first = new CompiledProgram(five, Helpers.NONE);
        CompiledProgram second = new CompiledProgram(six, Helpers.NONE);
        assertEquals(6, second.run(new CheckedMemory(six, List.of()), 2, 0, 0));
        assertEquals(5, first.run(new CheckedMemory(five, List.of()), 2, 0, 0));
    }

    @Test
    void aStackFrameIsEmptyInEachRun() throws Exception {
        Program program =
                program("r0 = *(u64 *)(r10 - 8); *(u64 *)(r10 - 8) = 7; r1 = r10; r1 += r2; *(u8 *)(r1 - 9) = 1; exit");
        CompiledProgram compiled = new CompiledProgram(program, Helpers.NONE);
        CheckedMemory memory = new CheckedMemory(program, List.of());
        for (int i = 0; i < 3; i++) {
            assertEquals(0, assertDoesNotThrow(() -> compiled.run(memory, 10, 0, 0)));
        }
    }
}
