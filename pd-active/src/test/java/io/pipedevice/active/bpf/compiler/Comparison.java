// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.interpreter.Interpreter;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.Memory;
import io.pipedevice.active.bpf.machine.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Runs a program in the interpreter and compiled, each with memory of its own, and tells all that can be seen of a run. */
final class Comparison implements AutoCloseable {
    /** What runs a program. */
    private interface Engine {
        long run(Memory memory, long fuel, long r1, long r2) throws FaultException;
    }

    /** Two kinds of memory that can be changed, one that cannot, and the calls of helpers. */
    private static final class Machine {
        private final List<Region> regions;
        private final Memory memory;
        private final List<String> calls = new ArrayList<>();

        Machine(Program program, Arena arena) {
            MemorySegment outside = arena.allocate(32, 8);
            regions = List.of(
                    Region.ofBytes("first", new byte[64]),
                    new Region("second", outside),
                    new Region("third", MemorySegment.ofArray(new byte[16]).asReadOnly()));
            memory = new Memory(program, regions);
            for (int i = 0; i < 64; i++) {
                regions.get(0).segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i * 37));
            }
        }

        Helpers helpers() {
            return new Helpers(List.of(
                    helper(1, (m, a, b, c, d, e) -> a + 31 * (b + 31 * (c + 31 * (d + 31 * e)))),
                    helper(2, (m, a, b, c, d, e) -> m.address((int) (a & 1)) + (b & 31)),
                    helper(3, (m, a, b, c, d, e) -> {
                        m.writable(a, b & 15).fill((byte) c);
                        return 0;
                    }),
                    helper(4, (m, a, b, c, d, e) -> {
                        throw new IllegalStateException("helper " + a);
                    })));
        }

        private Helper helper(int id, Helper.Function function) {
            return new Helper(id, "h" + id, List.of(), Helper.Result.NUMBER, (m, a, b, c, d, e) -> {
                if (calls.size() < 100) {
                    calls.add(id + "(" + a + "," + b + "," + c + "," + d + "," + e + ")");
                }
                return function.call(m, a, b, c, d, e);
            });
        }

        String run(Engine engine, long fuel) {
            String end;
            try {
                end = "r0=" + engine.run(memory, fuel, memory.address(0), 64);
            } catch (FaultException e) {
                end = e.getMessage();
            }
            StringBuilder text = new StringBuilder(end).append('\n').append(calls);
            for (Region each : regions) {
                text.append('\n').append(HexFormat.of().formatHex(each.segment().toArray(ValueLayout.JAVA_BYTE)));
            }
            return text.toString();
        }
    }

    private final Arena arena = Arena.ofConfined();
    private final Machine interpreting;
    private final Machine compiling;
    private final Interpreter interpreter;
    private final CompiledProgram compiled;

    Comparison(byte[] code, int most) throws InvalidProgramException {
        Program program = Program.decode("test", code, List.of(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, new byte[12]));
        interpreting = new Machine(program, arena);
        compiling = new Machine(program, arena);
        interpreter = new Interpreter(program, interpreting.helpers());
        compiled = new CompiledProgram(program, compiling.helpers(), most);
    }

    /** How a run in the interpreter ends; memory stays as the runs before have left it. */
    String interpreted(long fuel) {
        return interpreting.run(interpreter::run, fuel);
    }

    /** How a compiled run ends. */
    String compiled(long fuel) {
        return compiling.run(compiled::run, fuel);
    }

    @Override
    public void close() {
        arena.close();
    }
}
