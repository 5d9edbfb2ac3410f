// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.jmh;

import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Compares the emulator's engine with a plain copy of the same bytes: the cost of the command, the address translation
 * and the completion of each copy. One thread does everything, as the driver does by default. Aim: at 64 KB at least 80
 * % of the plain copy's throughput.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class EngineBenchmark {
    private static final int BATCH = 16;
    private static final int RING = 256 << 10;

    /** Bytes of each copy. */
    @Param({"64", "4096", "65536"})
    public int length;

    private Arena arena;
    private MemorySegment source;
    private MemorySegment destination;
    private DmaEmulator emulator;
    private DeviceLane lane;
    private long from;
    private long to;
    private int offset;
    private final Command command = new Command();

    /** Creates the state; JMH does. */
    public EngineBenchmark() {}

    /**
     * Maps two rings of the default size.
     *
     * @throws IOException if they cannot be mapped
     */
    @Setup
    public void open() throws IOException {
        arena = Arena.ofShared();
        source = arena.allocate(RING, 4096).fill((byte) 1);
        destination = arena.allocate(RING, 4096);
        emulator = new DmaEmulator(new DmaEmulator.Context());
        lane = emulator.lane(0);
        from = emulator.map(source, DeviceMapping.Access.READ).address();
        to = emulator.map(destination, DeviceMapping.Access.WRITE).address();
    }

    /** Releases all resources. */
    @TearDown
    public void close() {
        emulator.close();
        arena.close();
    }

    private int next() {
        int result = offset;
        offset = result + length & RING - 1;
        return result;
    }

    /** Copies by {@link MemorySegment#copy}. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void plainCopy() {
        for (int i = 0; i < BATCH; i++) {
            int at = next();
            MemorySegment.copy(source, at, destination, at, length);
        }
    }

    /**
     * Copies by commands.
     *
     * @return the sum of the statuses, 0
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int engine() {
        for (int i = 0; i < BATCH; i++) {
            int at = next();
            lane.submit(command.set(CommandType.SEND, from + at, to + at, length, 1, 1, 1, i, 0));
        }
        lane.flush();
        int statuses = 0;
        for (int taken = 0; taken < BATCH; ) {
            emulator.poll();
            while (lane.complete(command)) {
                statuses += command.tag();
                taken++;
            }
        }
        lane.flushCompletions();
        return statuses;
    }
}
