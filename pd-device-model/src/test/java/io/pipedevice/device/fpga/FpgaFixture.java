// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.fpga;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.device.model.FpgaModel;
import io.pipedevice.device.model.ModelFaults;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A device on a model, with a source and a destination mapped. */
final class FpgaFixture implements AutoCloseable {
    static final int SIZE = 1 << 20;
    static final int PAGE = 4096;

    final Arena arena = Arena.ofShared();
    final MemorySegment source = arena.allocate(SIZE, PAGE);
    final MemorySegment destination = arena.allocate(SIZE, PAGE);
    final ModelFaults faults = new ModelFaults();
    final Semaphore interrupts = new Semaphore(0);
    final FpgaDevice device;
    final DeviceMapping from;
    final DeviceMapping to;
    final Command command = new Command();
    final Command completion = new Command();

    FpgaFixture(FpgaModel.Context model, FpgaDevice.Context context) throws IOException {
        device = new FpgaDevice(new FpgaModel(model.faults(faults)), context);
        device.onInterrupt(interrupts::release);
        for (int i = 0; i < SIZE; i++) {
            source.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + (i >>> 8)));
        }
        from = device.map(source, DeviceMapping.Access.READ);
        to = device.map(destination, DeviceMapping.Access.WRITE);
    }

    FpgaFixture() throws IOException {
        this(new FpgaModel.Context(), new FpgaDevice.Context());
    }

    DeviceLane lane() {
        return device.lane(0);
    }

    Command copy(long source, long destination, int length, int entry) {
        return command.set(CommandType.SEND, source, destination, length, 7, 8, 1, entry, 0);
    }

    void submit(DeviceLane lane, int first, int count) {
        for (int i = 0; i < count; i++) {
            int offset = (first + i) * PAGE % SIZE;
            assertTrue(lane.submit(copy(from.address() + offset, to.address() + offset, PAGE, first + i)));
        }
        lane.flush();
    }

    /** Waits for the next completion of a lane. */
    Command await(DeviceLane lane) {
        await("a completion", () -> lane.complete(completion));
        lane.flushCompletions();
        return completion;
    }

    /** Executes one command; returns its status. */
    int execute(long source, long destination, int length) {
        assertTrue(lane().submit(copy(source, destination, length, 0)));
        lane().flush();
        return await(lane()).tag();
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, () -> "waited in vain for " + what);
            LockSupport.parkNanos(50_000);
        }
    }

    @Override
    public void close() {
        device.close();
        arena.close();
    }
}
