// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** An emulator with a source and a destination mapped, and the steps that its tests share. */
final class EmulatorFixture implements AutoCloseable {
    static final int SIZE = 1 << 20;

    final Arena arena = Arena.ofShared();
    final MemorySegment source = arena.allocate(SIZE);
    final MemorySegment destination = arena.allocate(SIZE);
    final DmaEmulator emulator;
    final DeviceMapping sourceMapping;
    final DeviceMapping destinationMapping;
    final Command command = new Command();
    final Command completion = new Command();
    private EngineThread thread;

    EmulatorFixture(DmaEmulator.Context context) throws IOException {
        this(new DmaEmulator(context));
    }

    EmulatorFixture(DmaEmulator emulator) throws IOException {
        this.emulator = emulator;
        for (int i = 0; i < SIZE; i++) {
            source.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + (i >>> 8)));
        }
        sourceMapping = emulator.map(source, DeviceMapping.Access.READ);
        destinationMapping = emulator.map(destination, DeviceMapping.Access.WRITE);
    }

    /** Starts the emulator's own thread, which ends with the fixture. */
    EmulatorFixture start() {
        thread = EngineThread.start(emulator);
        return this;
    }

    DeviceLane lane() {
        return emulator.lane(0);
    }

    /** A copy of {@code length} bytes from and to the same offset. */
    Command copy(int offset, int length, int entry) {
        return copy(sourceMapping.address() + offset, destinationMapping.address() + offset, length, entry);
    }

    Command copy(long from, long to, int length, int entry) {
        return command.set(CommandType.SEND, from, to, length, 7, 8, 9, entry, 0);
    }

    void submit(DeviceLane lane, Command next) {
        assertTrue(lane.submit(next), "the lane has room");
    }

    /** Submits {@code count} small copies with entries from {@code first}. */
    void submit(DeviceLane lane, int first, int count) {
        for (int i = 0; i < count; i++) {
            submit(lane, copy(64 * (first + i), 64, first + i));
        }
        lane.flush();
    }

    /** Runs the engine on this thread until it has no work. */
    void run() {
        while (emulator.poll() != 0) {
            Thread.onSpinWait();
        }
    }

    /** Executes one command at once; returns its status. */
    int execute(Command next) {
        submit(lane(), next);
        lane().flush();
        run();
        assertTrue(lane().complete(completion), "completed");
        lane().flushCompletions();
        assertEquals(CommandType.COMPLETED, completion.type());
        return completion.tag();
    }

    /** Takes every available completion; returns their entries. */
    List<Integer> completions(DeviceLane lane) {
        List<Integer> entries = new ArrayList<>();
        while (lane.complete(completion)) {
            assertEquals(CommandType.COMPLETED, completion.type());
            entries.add(completion.entrySequence());
        }
        lane.flushCompletions();
        return entries;
    }

    static List<Integer> range(int first, int count) {
        List<Integer> result = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            result.add(first + i);
        }
        return result;
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, () -> "waited in vain for " + what);
            LockSupport.parkNanos(100_000);
        }
    }

    void stop() {
        thread.close();
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.close();
        }
        emulator.close();
        arena.close();
    }
}
