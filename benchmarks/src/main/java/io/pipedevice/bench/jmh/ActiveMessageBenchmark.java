// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.jmh;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.verifier.UnsafeProgramException;
import io.pipedevice.active.message.InvalidStateException;
import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.active.message.MessageRun;
import io.pipedevice.active.message.RegionAccess;
import io.pipedevice.active.message.RegionOperation;
import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
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
 * Nanoseconds of an active message of 64 bytes, from its beginning to its end, with one operation on a region of this
 * process. The paper on Network-accelerated Active Messages has such numbers in its Table 3.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Thread)
public class ActiveMessageBenchmark {
    private static final int LENGTH = 64;
    private static final int TURN = 4096;

    /** A function, as hexadecimal digits. */
    public enum Code {
        /** Returns 0. */
        EMPTY("b700000000000000 9500000000000000"),

        /** Loads two words of the message, and stores their sum and one of them. */
        MESSAGE("7912000000000000 7913080000000000 0f32000000000000 7b21100000000000 6331180000000000"
                + "bf20000000000000 9500000000000000"),

        /** Sums up the bytes of the message, in 387 instructions. */
        LOOP("b700000000000000 b703000000000000 bf14000000000000 0f34000000000000 7145000000000000 0f50000000000000"
                + "0703000001000000 a503faff40000000 9500000000000000"),

        /** Yields, and returns 0. */
        YIELD("8500000008000000 9500000000000000"),

        /** Reads 64 bytes of a region into the message. */
        READ("bf13000000000000 b701000000000000 b702000040000000 b704000040000000 8500000001000000 9500000000000000"),

        /** Writes the 64 bytes of the message to a region. */
        WRITE("bf13000000000000 b701000000000000 b702000040000000 b704000040000000 8500000002000000 9500000000000000"),

        /** Adds to eight bytes of a region. */
        ADD("b701000000000000 b702000040000000 b703000001000000 8500000006000000 9500000000000000");

        private final String digits;

        Code(String digits) {
            this.digits = digits;
        }

        byte[] bytes() {
            return HexFormat.of().parseHex(digits.replace(" ", ""));
        }
    }

    /** What becomes of an operation. */
    public enum Way {
        /** It is executed at once. */
        THROUGH,

        /** The run stops, and goes on after the operation. */
        STOPS,

        /** The run stops and is saved; another run, with a copy of the message, goes on after the operation. */
        MOVES
    }

    /** Executes operations on memory of this process. */
    private static final class Local implements RegionAccess {
        private final MemorySegment region = Arena.global().allocate(4096, Long.BYTES);
        private final boolean isLater;

        Local(boolean isLater) {
            this.isLater = isLater;
        }

        @Override
        public long size(int number) {
            return region.byteSize();
        }

        @Override
        public boolean execute(RegionOperation operation) {
            if (isLater) {
                return false;
            }
            complete(operation);
            return true;
        }

        void complete(RegionOperation operation) {
            int status = operation.statusIn(region.byteSize());
            if (status != OperationStatus.OK) {
                operation.status(status);
                return;
            }
            switch (operation.code()) {
                case OperationCode.READ -> operation.copyFrom(region);
                case OperationCode.WRITE -> operation.copyTo(region);
                case OperationCode.FETCH_AND_ADD -> operation.value(Words.add(region, operation));
                default -> {}
            }
        }
    }

    /** Aligned words of a region. */
    private static final class Words {
        private static final java.lang.invoke.VarHandle WORD = java.lang.foreign.ValueLayout.JAVA_LONG.varHandle();

        static long add(MemorySegment region, RegionOperation operation) {
            return (long) WORD.getAndAdd(region, operation.offset(), operation.operand());
        }
    }

    /** The function. */
    @Param
    public Code code;

    /** How its operation is executed. */
    @Param
    public Way way;

    private final MemorySegment state = Arena.global().allocate(8192, Long.BYTES);
    private Local access;
    private MessageRun first;
    private MessageRun second;

    /** Creates the benchmark; JMH does. */
    public ActiveMessageBenchmark() {}

    /**
     * Prepares the function.
     *
     * @throws InvalidProgramException if the program is none
     * @throws UnsafeProgramException if it may do something undefined
     */
    @Setup
    public void prepare() throws InvalidProgramException, UnsafeProgramException {
        MessageFunction function = MessageFunction.of(Program.decode(code.name(), code.bytes()), LENGTH, 1);
        first = new MessageRun(function);
        second = new MessageRun(function);
        access = new Local(way != Way.THROUGH);
    }

    /**
     * Runs one message.
     *
     * @return its result
     * @throws InvalidStateException if the state of the first run is refused
     */
    @Benchmark
    public long message() throws InvalidStateException {
        MessageRun run = first;
        run.begin();
        MessageRun.State progress = run.run(access, TURN);
        while (progress == MessageRun.State.WAITS) {
            if (way == Way.MOVES) {
                run = move(run);
            }
            access.complete(run.operation());
            progress = run.run(access, TURN);
        }
        return run.result();
    }

    private MessageRun move(MessageRun run) throws InvalidStateException {
        int length = run.save(state, 0);
        MessageRun other = run == first ? second : first;
        MemorySegment.copy(run.message(), 0, other.message(), 0, LENGTH);
        if (other.load(state, 0, length) != MessageRun.State.WAITS) {
            throw new IllegalStateException();
        }
        return other;
    }
}
