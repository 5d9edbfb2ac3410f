// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A device, a memory of random bytes that it may only read, and one that it may write. With
 * {@code -Dpipedevice.test.gpu=true} (-Pgpu) the device is a GPU, otherwise the library of {@link TestCuda}.
 */
final class CudaFixture implements AutoCloseable {
    static final boolean GPU = Boolean.getBoolean("pipedevice.test.gpu");
    static final int SIZE = 1 << 20;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final Arena arena = Arena.ofShared();
    private final Fd file;
    private final Command command = new Command();
    private final Command completion = new Command();
    final Device device;

    /** The bytes of {@link #source} as this process may write them. */
    final MemorySegment written;

    final MemorySegment source;
    final MemorySegment destination = arena.allocate(SIZE, 4096);
    final DeviceMapping from;
    final DeviceMapping to;

    CudaFixture(Device device, long seed) throws IOException {
        this.device = device;
        file = Memory.memfd("pd-test-gpu", Memory.PageSize.NORMAL);
        Memory.resize(file, SIZE);
        written = Memory.map(file, 0, SIZE, true, arena);
        source = Memory.map(file, 0, SIZE, false, arena);
        byte[] bytes = new byte[SIZE];
        new Random(seed).nextBytes(bytes);
        written.copyFrom(MemorySegment.ofArray(bytes));
        from = device.map(source, DeviceMapping.Access.READ);
        to = device.map(destination, DeviceMapping.Access.WRITE);
    }

    /** Parameters of a device on the library that the tests use. */
    static CudaDevice.Context parameters() {
        return new CudaDevice.Context().library(library());
    }

    /** Null for the GPU's own. */
    static String library() {
        return GPU ? null : TestCuda.library().toString();
    }

    /** Submits a copy between the two memories; false if the lane is full. */
    boolean submit(int lane, long at, long target, int length, int entry) {
        return submitAt(lane, from.address() + at, to.address() + target, length, entry);
    }

    boolean submitAt(int lane, long origin, long target, int length, int entry) {
        boolean taken =
                device.lane(lane).submit(command.set(CommandType.SEND, origin, target, length, 1, 2, 3, entry, 0));
        device.lane(lane).flush();
        return taken;
    }

    /** Takes the next completion of a lane. */
    Command await(int lane) {
        long deadline = System.nanoTime() + PATIENCE_NS;
        while (!device.lane(lane).complete(completion)) {
            device.poll();
            assertTrue(System.nanoTime() - deadline < 0, "waited in vain");
            Thread.onSpinWait();
        }
        device.lane(lane).flushCompletions();
        return completion;
    }

    /** Takes the next completion, of a command that must have succeeded. */
    void awaitCopied(int lane, int entry) {
        await(lane);
        assertEquals(CommandType.STATUS_OK, completion.tag());
        assertEquals(entry, completion.entrySequence());
    }

    void assertCopied(long at, long target, int length) {
        assertEquals(
                -1,
                MemorySegment.mismatch(written, at, at + length, destination, target, target + length),
                () -> length + " bytes from " + at + " to " + target);
    }

    @Override
    public void close() throws IOException {
        device.close();
        arena.close();
        file.close();
    }
}
