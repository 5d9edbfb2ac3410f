// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.edu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class EduDeviceTest {
    private static final int SIZE = 64 << 10;

    private final EduModel model = new EduModel(2);
    private final Arena arena = Arena.ofShared();
    private final MemorySegment source = arena.allocate(SIZE, 4096);
    private final MemorySegment destination = arena.allocate(SIZE, 4096);
    private final Command command = new Command();
    private final Command completion = new Command();
    private EduDevice device;
    private DeviceLane lane;
    private DeviceMapping from;
    private DeviceMapping to;

    @BeforeEach
    void start() throws IOException {
        device = new EduDevice(model);
        lane = device.lane(0);
        byte[] bytes = new byte[SIZE];
        new Random(1).nextBytes(bytes);
        source.copyFrom(MemorySegment.ofArray(bytes));
        from = device.map(source, DeviceMapping.Access.READ);
        to = device.map(destination, DeviceMapping.Access.WRITE);
    }

    @AfterEach
    void stop() {
        device.close();
        arena.close();
        assertTrue(model.isClosed());
        assertNull(model.mistake());
    }

    private void submit(long at, int length, int entry) {
        assertTrue(lane.submit(
                command.set(CommandType.SEND, from.address() + at, to.address() + at, length, 1, 2, 0, entry, 0)));
        lane.flush();
    }

    private int await() {
        until(() -> {
            device.poll();
            return lane.complete(completion);
        });
        lane.flushCompletions();
        return completion.tag();
    }

    private static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "waited in vain");
            LockSupport.parkNanos(200_000);
        }
    }

    private long count(DeviceHealth.Event event) {
        return device.health().getFirst().get(event);
    }

    private void copy(long at, int length, int entry) {
        submit(at, length, entry);
        assertEquals(CommandType.STATUS_OK, await());
        assertEquals(entry, completion.entrySequence());
    }

    @Test
    void everyByteGoesThroughTheBuffer() {
        for (int at = 0; at < SIZE; at += 2048) {
            copy(at, 2048, at / 2048);
        }
        assertEquals(-1, source.mismatch(destination));
        assertTrue(model.transfers() >= 2 * SIZE / 2048, () -> model.transfers() + " transfers");
        assertEquals(model.transfers(), device.health().getFirst().interrupts());
        assertEquals(0, count(DeviceHealth.Event.LOST_INTERRUPT));
    }

    @Test
    void completionsComeInOrder() {
        for (int entry = 0; entry < 20; entry += 2) {
            submit(0, 100, entry);
            submit(100, 100, entry + 1);
            assertFalse(lane.submit(command), "the lane is full");
            for (int i = 0; i < 2; i++) {
                await();
                assertEquals(entry + i, completion.entrySequence());
            }
        }
    }

    @Test
    void invalidCommandsAreRefusedBeforeTheyReachTheDevice() {
        submit(0, 2049, 1);
        assertEquals(CommandType.STATUS_LENGTH, await());
        submit(SIZE - 10, 11, 2);
        assertEquals(CommandType.STATUS_ADDRESS, await());
        lane.submit(command.set(CommandType.SEND, to.address(), from.address(), 10, 1, 2, 0, 3, 0));
        lane.flush();
        assertEquals(CommandType.STATUS_ADDRESS, await());
        to.close();
        submit(0, 10, 4);
        assertEquals(CommandType.STATUS_ADDRESS, await());
        assertEquals(0, model.transfers());
    }

    @Test
    void aDeviceThatWasAwayHasCopiedNothing() {
        submit(0, 100, 1);
        model.away(true);
        for (int i = 0; i < 50; i++) {
            device.poll();
            LockSupport.parkNanos(1_000_000);
        }
        assertFalse(lane.complete(completion), "it is not known yet whether its transfer has ended");
        model.away(false);
        assertEquals(CommandType.STATUS_DEVICE, await());
        copy(0, 100, 2);
        assertEquals(-1, source.asSlice(0, 100).mismatch(destination.asSlice(0, 100)));
    }

    @Test
    void aCopyThatDidNotHappenIsNoticedByItsBytes() {
        submit(0, 100, 1);
        model.away(true);
        // The transfer ends meanwhile, and no thread polls.
        until(() -> model.transfers() == 1);
        model.away(false);
        assertEquals(CommandType.STATUS_DEVICE, await());
        copy(0, 100, 2);
        assertEquals(-1, source.asSlice(0, 100).mismatch(destination.asSlice(0, 100)));
    }

    @Test
    void interruptsThatAreLostAreCounted() {
        model.mute(true);
        copy(0, 100, 1);
        assertEquals(2, count(DeviceHealth.Event.LOST_INTERRUPT));
    }

    @Test
    void aResetEndsWhatRuns() throws IOException {
        submit(0, 100, 1);
        submit(100, 100, 2);
        device.reset();
        assertEquals(CommandType.STATUS_RESET, await());
        assertEquals(CommandType.STATUS_RESET, await());
        assertEquals(0, lane.outstanding());
        copy(0, 100, 3);
    }

    @Test
    void aDeviceThatDoesNotEndIsLost() {
        model.hang(true);
        submit(0, 100, 1);
        assertTrue(assertThrows(IOException.class, device::reset).getMessage().contains("does not recover"));
    }

    @Test
    void anotherDeviceIsNotStarted() {
        EduModel other = new EduModel(1);
        other.away(true);
        assertThrows(IOException.class, () -> new EduDevice(other));
        assertTrue(other.isClosed());
        assertEquals(2, model.mappings());
    }
}
