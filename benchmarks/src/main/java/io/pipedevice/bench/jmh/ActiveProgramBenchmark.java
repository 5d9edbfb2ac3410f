// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.jmh;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.compiler.CompiledProgram;
import io.pipedevice.active.bpf.interpreter.Interpreter;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.ProgramRegion;
import io.pipedevice.active.bpf.machine.RunnableProgram;
import java.lang.foreign.Arena;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Nanoseconds of a run of a small program of eBPF on memory outside of the heap, interpreted and compiled. The paper on
 * Network-accelerated Active Messages has such numbers in its Table 3.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Thread)
public class ActiveProgramBenchmark {
    private static final int LENGTH = 64;
    private static final long FUEL = 1_000_000;

    /** A program, as hexadecimal digits. */
    public enum Code {
        /** Returns 0. */
        EMPTY("b700000000000000 9500000000000000"),

        /** Loads two words of the context, and stores their sum and one of them. */
        CONTEXT("7912000000000000 7913080000000000 0f32000000000000 7b21100000000000 6331180000000000"
                + "bf20000000000000 9500000000000000"),

        /** Stores two words in the stack frame, and loads their sum. */
        STACK("7b1af8ff00000000 7b2af0ff00000000 79a0f8ff00000000 79a3f0ff00000000 0f30000000000000 9500000000000000"),

        /** Sums up 64 bytes of the context, in 387 instructions. */
        LOOP("b700000000000000 b703000000000000 bf14000000000000 0f34000000000000 7145000000000000 0f50000000000000"
                + "0703000001000000 5503faff40000000 9500000000000000"),

        /** Calls a function that returns 0, and has a stack frame of its own. */
        CALL("8510000001000000 9500000000000000 b700000000000000 9500000000000000"),

        /** Calls a helper that copies 64 bytes from another region to the context. */
        COPY("b703000040000000 8500000001000000 9500000000000000");

        private final String digits;

        Code(String digits) {
            this.digits = digits;
        }

        byte[] bytes() {
            return HexFormat.of().parseHex(digits.replace(" ", ""));
        }
    }

    /** The program. */
    @Param
    public Code code;

    /** Whether the program is compiled. */
    @Param({"true", "false"})
    public boolean compiled;

    private CheckedMemory memory;
    private RunnableProgram runnable;

    /** Creates the benchmark; JMH does. */
    public ActiveProgramBenchmark() {}

    private static long copy(CheckedMemory memory, long target, long source, long length) throws FaultException {
        memory.writable(target, length).copyFrom(memory.readable(source, length));
        return 0;
    }

    /**
     * Prepares the program and its memory.
     *
     * @throws InvalidProgramException if the program is none
     */
    @Setup
    public void prepare() throws InvalidProgramException {
        Helper copy = new Helper(
                1,
                "copy",
                List.of(Helper.Argument.NUMBER, Helper.Argument.NUMBER, Helper.Argument.NUMBER),
                Helper.Result.NUMBER,
                (where, r1, r2, r3, r4, r5) -> copy(where, r1, r2, r3));
        Helpers helpers = new Helpers(List.of(copy));
        Program program = Program.decode(code.name(), code.bytes());
        memory = new CheckedMemory(
                program,
                List.of(
                        new ProgramRegion("context", Arena.global().allocate(LENGTH, Long.BYTES)),
                        new ProgramRegion("store", Arena.global().allocate(LENGTH, Long.BYTES))));
        runnable = compiled ? new CompiledProgram(program, helpers) : new Interpreter(program, helpers);
    }

    /**
     * Runs the program once.
     *
     * @return its result
     * @throws FaultException if the program does something undefined
     */
    @Benchmark
    public long run() throws FaultException {
        return runnable.run(memory, FUEL, memory.address(0), memory.address(1));
    }
}
