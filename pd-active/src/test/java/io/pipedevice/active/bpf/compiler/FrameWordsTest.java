// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.StackFrames;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Words of a frame are the same memory as its addresses. */
class FrameWordsTest {
    private static final int[] LENGTHS = {1, 2, 4, 8};

    private static long value(int offset) {
        return 0x123456789abcdef1L * (offset + 1);
    }

    private static CheckedMemory memory() throws Exception {
        byte[] exit = {(byte) 0x95, 0, 0, 0, 0, 0, 0, 0};
        return new CheckedMemory(Program.decode("test", exit), List.of());
    }

    @Test
    void eachOffsetAndLengthIsTheSameBytes() throws Exception {
        CheckedMemory one = memory();
        CheckedMemory other = memory();
        long start = one.stack().push() - StackFrames.FRAME_LENGTH;
        other.stack().push();
        for (int length : LENGTHS) {
            for (int offset = 0; offset <= StackFrames.FRAME_LENGTH - length; offset++) {
                one.store(start + offset, length, value(offset));
                FrameWords.store(other.stack().current(), offset, length, value(offset));
            }
            assertArrayEquals(one.stack().current(), other.stack().current(), "length " + length);
            for (int offset = 0; offset <= StackFrames.FRAME_LENGTH - length; offset++) {
                assertEquals(
                        one.load(start + offset, length),
                        FrameWords.load(other.stack().current(), offset, length));
            }
        }
    }
}
