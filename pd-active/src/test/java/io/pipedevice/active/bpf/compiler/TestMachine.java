// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.ProgramRegion;
import io.pipedevice.active.bpf.machine.RunnableProgram;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Memory of a random program: two kinds that can be changed, one that cannot; helpers, and their calls. */
final class TestMachine {
    private final List<ProgramRegion> regions;
    private final CheckedMemory memory;
    private final List<String> calls = new ArrayList<>();

    /** Whether the first helper waits at some of its calls. */
    private final boolean waits;

    private int waited;
    private long pending;

    TestMachine(Program program, Arena arena, boolean waits) {
        this.waits = waits;
        MemorySegment outside = arena.allocate(32, 8);
        regions = List.of(
                ProgramRegion.ofBytes("first", new byte[64]),
                new ProgramRegion("second", outside),
                new ProgramRegion("third", MemorySegment.ofArray(new byte[16]).asReadOnly()));
        memory = new CheckedMemory(program, regions);
        for (int i = 0; i < 64; i++) {
            regions.get(0).segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i * 37));
        }
    }

    CheckedMemory memory() {
        return memory;
    }

    /** The result of the helper that has made the run wait. */
    long pending() {
        return pending;
    }

    Helpers helpers() {
        return new Helpers(List.of(
                helper(1, waits, (m, a, b, c, d, e) -> perhapsLater(a + 31 * (b + 31 * (c + 31 * (d + 31 * e))))),
                helper(2, false, (m, a, b, c, d, e) -> m.address((int) (a & 1)) + (b & 31)),
                helper(3, false, (m, a, b, c, d, e) -> {
                    m.writable(a, b & 15).fill((byte) c);
                    return 0;
                }),
                helper(4, false, (m, a, b, c, d, e) -> {
                    throw new IllegalStateException("helper " + a);
                })));
    }

    private long perhapsLater(long value) {
        if (waits && waited++ % 3 != 0) {
            pending = value;
            memory.waitForHelper();
            return -1;
        }
        return value;
    }

    private Helper helper(int id, boolean mayWait, Helper.Function function) {
        Helper.Function noted = (m, a, b, c, d, e) -> {
            if (calls.size() < 100) {
                calls.add(id + "(" + a + "," + b + "," + c + "," + d + "," + e + ")");
            }
            return function.call(m, a, b, c, d, e);
        };
        return new Helper(id, "h" + id, List.of(), Helper.Result.NUMBER, noted, mayWait);
    }

    String run(RunnableProgram program, long fuel) {
        String end;
        try {
            end = "r0=" + program.run(memory, fuel, memory.address(0), 64);
        } catch (FaultException e) {
            end = e.getMessage();
        }
        return end + '\n' + contents();
    }

    /** The calls so far, and the bytes of all regions. */
    String contents() {
        StringBuilder text = new StringBuilder(calls.toString());
        for (ProgramRegion each : regions) {
            text.append('\n').append(HexFormat.of().formatHex(each.segment().toArray(ValueLayout.JAVA_BYTE)));
        }
        return text.toString();
    }
}
