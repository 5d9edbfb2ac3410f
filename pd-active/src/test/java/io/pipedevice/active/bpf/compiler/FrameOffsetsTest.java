// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.active.bpf.Assembler;
import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.machine.ControlFlow;
import io.pipedevice.active.bpf.machine.Helpers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which accesses are known to be in the frame. */
class FrameOffsetsTest {
    private static final int UNKNOWN = FrameOffsets.UNKNOWN;

    private static void assertOffset(int expected, int index, String text) throws Exception {
        List<Instruction> code =
                Program.decode("test", Assembler.assemble(text)).instructions();
        FrameOffsets offsets = new FrameOffsets(code, ControlFlow.blocks(code, 0, code.size(), Helpers.NONE));
        assertEquals(expected, offsets.of(index), text);
    }

    @Test
    void copiesAndSumsAreFollowed() throws Exception {
        assertOffset(504, 0, "*(u64 *)(r10 - 8) = 1; exit");
        assertOffset(500, 3, "r3 = r10; r3 += -16; r3 -= -8; r0 = *(u32 *)(r3 - 4); exit");
        assertOffset(0, 0, "*(u8 *)(r10 - 512) = 1; exit");
    }

    @Test
    void otherArithmeticIsNot() throws Exception {
        assertOffset(UNKNOWN, 2, "r3 = r10; w3 += -16; *(u8 *)(r3 - 4) = 1; exit");
        assertOffset(UNKNOWN, 2, "r3 = r10; r3 += r2; *(u8 *)(r3 - 4) = 1; exit");
        assertOffset(UNKNOWN, 2, "r3 = r10; r3 &= -8; *(u8 *)(r3 - 8) = 1; exit");
        assertOffset(UNKNOWN, 1, "w3 = w10; *(u8 *)(r3 - 8) = 1; exit");
        assertOffset(UNKNOWN, 2, "r0 = r10; call 1; *(u8 *)(r0 - 8) = 1; exit");
        assertOffset(UNKNOWN, 2, "r5 = r10; call local f; *(u8 *)(r5 - 8) = 1; exit; f: ; exit");
    }

    @Test
    void accessesBeyondTheFrameAreNot() throws Exception {
        assertOffset(UNKNOWN, 0, "*(u64 *)(r10 - 7) = 1; exit");
        assertOffset(UNKNOWN, 0, "*(u8 *)(r10 - 513) = 1; exit");
        assertOffset(UNKNOWN, 0, "*(u8 *)(r10 + 0) = 1; exit");
    }

    @Test
    void bothPathsHaveToAgreeAtAJoin() throws Exception {
        String text = "r3 = r10; if r1 == 0 goto end; r3 += -8; end: ; *(u8 *)(r3 - 8) = 1; exit";
        assertOffset(UNKNOWN, 3, text);
        assertOffset(504, 3, text.replace("r3 += -8", "r4 += -8"));
        assertOffset(UNKNOWN, 2, "r3 = r10; again: ; r3 += -8; *(u8 *)(r3 + 0) = 1; if r1 != 0 goto again; exit");
    }
}
