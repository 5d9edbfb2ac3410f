// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.RawCode;
import io.pipedevice.active.bpf.machine.Helpers;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs that are as large as they can be, or made to be expensive. */
@Timeout(120)
class LargeProgramsTest {
    private static final int SLOTS = Program.MAX_SLOTS;

    /** Compiles the program, checks its methods, and compares a run with the interpreter. */
    private static String end(RawCode code) throws InvalidProgramException {
        Program program = Program.decode("test", code.bytes());
        requireShort(ClassWriter.write(new ProgramPlan(program, Helpers.NONE, CodeLength.MOST, false, Places.NONE)));
        requireShort(ClassWriter.write(new ProgramPlan(program, Helpers.NONE, CodeLength.MOST, true, Places.NONE)));
        try (Comparison comparison = new Comparison(code.bytes(), CodeLength.MOST)) {
            String expected = comparison.interpreted(2 * SLOTS);
            assertEquals(expected, comparison.compiled(2 * SLOTS));
            return expected.split("\n", 2)[0];
        }
    }

    private static void requireShort(byte[] bytes) {
        for (MethodModel method : ClassFile.of().parse(bytes).methods()) {
            int length = ((CodeAttribute) method.code().orElseThrow()).codeLength();
            assertTrue(length < CodeLength.LIMIT, () -> method.methodName() + ": " + length);
        }
    }

    @Test
    void aStretchOfAllSlotsIsDivided() throws Exception {
        RawCode code = new RawCode();
        for (int i = 0; i < SLOTS - 1; i++) {
            code.add(0x07, 0, 0, 0, i * 40_503L); // more constants than a pool of constants has
        }
        assertTrue(end(code.exit()).startsWith("r0="));
    }

    @Test
    void thereCanBeMoreWideConstantsThanAPoolHas() throws Exception {
        RawCode code = new RawCode();
        long factor = Long.parseLong("123456789abcdef1", 16);
        for (int i = 1; i < SLOTS / 2; i++) {
            code.wide(i % 10, 0, i * factor);
        }
        assertEquals("r0=" + 32760 * factor, end(code.exit()));
    }

    @Test
    void thousandsOfBranchesLeadToThousandsOfPlaces() throws Exception {
        RawCode code = new RawCode();
        int half = 8_000;
        for (int i = 0; i < half; i++) {
            code.branch(0x15, 1, 0, i * 1_000_003L, half + (i * 7919) % half);
        }
        for (int i = 0; i < half; i++) {
            code.branch(0x55, 0, 0, 1, half - i % half);
        }
        assertTrue(end(code.exit()).contains("has not ended after 131072 instructions"));
    }

    @Test
    void localCallsFillTheProgram() throws Exception {
        RawCode code = new RawCode();
        int calls = 10_000;
        int functions = 500;
        for (int i = 0; i < calls; i++) {
            code.call(calls + 1 + i % functions);
        }
        code.exit();
        for (int i = 0; i < functions; i++) {
            code.exit();
        }
        assertEquals("r0=0", end(code));
    }

    @Test
    void aFunctionOfSeveralPartsKeepsItsFrameWhenItCallsAnother() throws Exception {
        RawCode code = new RawCode();
        int length = 5000;
        code.add(0x7a, 10, 0, -8, 5).call(length + 6);
        for (int i = 0; i < length; i++) {
            code.add(0x07, 0, 0, 0, 1);
        }
        // the address of the word is not known when the program is compiled
        code.add(0xbf, 3, 10, 0, 0).add(0x0f, 3, 4, 0, 0).add(0x79, 0, 3, -8, 0).exit();
        code.add(0x7a, 10, 0, -8, 6);
        for (int i = 0; i < length; i++) {
            code.add(0x07, 0, 0, 0, 1);
        }
        assertEquals("r0=5", end(code.exit()));
    }

    @Test
    void aChainOfFunctionsEndsWithTheStack() throws Exception {
        assertTrue(end(chain(ProgramPlan.MAX_FUNCTIONS)).contains("calls are nested deeper than 8 functions"));
    }

    @Test
    void tooManyFunctionsAreRefused() {
        String message = assertThrows(InvalidProgramException.class, () -> end(chain(ProgramPlan.MAX_FUNCTIONS + 1)))
                .getMessage();
        assertEquals("the program calls more than 4096 functions, which can only be interpreted", message);
    }

    private static RawCode chain(int functions) {
        RawCode code = new RawCode();
        for (int i = 1; i < functions; i++) {
            code.call(2 * i).exit();
        }
        return code.exit();
    }
}
