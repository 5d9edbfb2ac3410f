// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.bpf;

import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helper.Argument;
import io.pipedevice.active.bpf.machine.Helper.Result;
import io.pipedevice.active.bpf.machine.Helpers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** The helpers that the plugins of the suite bpf_conformance have, by the same numbers. */
final class ConformanceHelpers {
    private static final byte FROB = 42;

    static final Helpers ALL = new Helpers(List.of(
            new Helper(
                    0,
                    "gather_bytes",
                    List.of(Argument.NUMBER, Argument.NUMBER, Argument.NUMBER, Argument.NUMBER, Argument.NUMBER),
                    Result.NUMBER,
                    (memory, a, b, c, d, e) -> gather(a, b, c, d, e)),
            new Helper(
                    1,
                    "memfrob",
                    List.of(Argument.WRITABLE, Argument.LENGTH),
                    Result.NUMBER,
                    (memory, address, length, c, d, e) -> frob(memory.writable(address, length))),
            new Helper(2, "no_op", List.of(), Result.NUMBER, (memory, a, b, c, d, e) -> 0),
            new Helper(3, "sqrti", List.of(Argument.NUMBER), Result.NUMBER, (memory, a, b, c, d, e) -> root(a)),
            new Helper(
                    4,
                    "strcmp_ext",
                    List.of(Argument.TEXT, Argument.TEXT),
                    Result.NUMBER,
                    (memory, a, b, c, d, e) -> compare(memory, a, b)),
            new Helper(5, "unwind", List.of(Argument.NUMBER), Result.NUMBER, (memory, a, b, c, d, e) -> a)));

    private ConformanceHelpers() {}

    private static long gather(long... values) {
        long result = 0;
        for (long value : values) {
            result = (result << Byte.SIZE) | (value & 0xff);
        }
        return result;
    }

    private static long frob(MemorySegment segment) {
        for (long i = 0; i < segment.byteSize(); i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, (byte) (segment.get(ValueLayout.JAVA_BYTE, i) ^ FROB));
        }
        return 0;
    }

    /** The root of an unsigned number, as its nearest floating-point number has it. */
    private static long root(long value) {
        double unsigned = value >= 0 ? value : (value >>> 1) * 2.0;
        return (long) Math.sqrt(unsigned);
    }

    private static long compare(CheckedMemory memory, long one, long other) throws FaultException {
        long i = 0;
        while (true) {
            long left = memory.load(one + i, 1);
            long right = memory.load(other + i, 1);
            if (left == 0 || left != right) {
                return left - right;
            }
            i++;
        }
    }
}
