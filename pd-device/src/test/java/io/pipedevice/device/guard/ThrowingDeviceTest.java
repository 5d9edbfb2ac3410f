// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** No command is lost on a device whose methods throw exceptions. */
final class ThrowingDeviceTest {
    private static final Logger LOG = Logger.getLogger(GuardedDevice.class.getName());
    private static final int LENGTH = 100;

    private final Map<String, Exception> failures = new HashMap<>();
    private final DmaEmulator device = new DmaEmulator(new DmaEmulator.Context());
    private final Arena arena = Arena.ofShared();
    private final MemorySegment source = arena.allocate(4096, 4096);
    private final MemorySegment destination = arena.allocate(4096, 4096);
    private final Command command = new Command();
    private GuardedDevice guard;
    private DeviceLane lane;
    private DeviceMapping from;
    private DeviceMapping to;

    @BeforeEach
    void start() throws IOException {
        LOG.setLevel(Level.OFF);
        Device played = (Device)
                Proxy.newProxyInstance(Device.class.getClassLoader(), new Class<?>[] {Device.class}, this::call);
        guard = new GuardedDevice(played, TimeUnit.MINUTES.toNanos(1));
        lane = guard.lane(0);
        from = guard.map(source, DeviceMapping.Access.READ);
        to = guard.map(destination, DeviceMapping.Access.WRITE);
    }

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        Exception failure = failures.get(method.getName());
        if (failure != null) {
            throw failure;
        }
        try {
            return method.invoke(device, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @AfterEach
    void stop() {
        LOG.setLevel(null);
        failures.clear();
        guard.close();
        arena.close();
    }

    private void submit(int count) {
        source.fill((byte) (source.get(ValueLayout.JAVA_BYTE, 0) + 1));
        for (int i = 0; i < count; i++) {
            long at = (long) i * LENGTH;
            assertTrue(lane.submit(
                    command.set(CommandType.SEND, from.address() + at, to.address() + at, LENGTH, 1, 2, 0, i, 0)));
        }
        lane.flush();
    }

    private void assertCopied(int count) {
        for (int i = 0; i < count; i++) {
            assertTrue(lane.complete(command), "a completion of each command");
            assertEquals(i, command.entrySequence());
            assertEquals(CommandType.STATUS_OK, command.tag());
        }
        assertFalse(lane.complete(command));
        long length = (long) count * LENGTH;
        assertEquals(-1, MemorySegment.mismatch(source, 0, length, destination, 0, length));
    }

    private long counted(DeviceHealth.Event event) {
        return guard.health().getFirst().get(event);
    }

    @Test
    void aResetLeavesEveryCommandWithItsCompletionAlsoOutOfService() throws IOException {
        failures.put("reset", new IOException("is gone"));
        guard.reset();
        assertEquals(1, counted(DeviceHealth.Event.OUT_OF_SERVICE));
        submit(5);
        guard.reset();
        assertCopied(5);
    }

    @Test
    void aPollThatThrowsIsAFailureOfTheDevice() {
        failures.put("poll", new IllegalStateException("poll fails"));
        for (int i = 1; i <= 5; i++) {
            submit(3);
            guard.poll();
            assertCopied(3);
            assertEquals(Math.min(i, 3), counted(DeviceHealth.Event.RESET));
        }
        assertEquals(1, counted(DeviceHealth.Event.OUT_OF_SERVICE));
    }

    @Test
    void aResetThatThrowsTakesTheDeviceOutOfService() throws IOException {
        failures.put("reset", new IllegalStateException("reset fails"));
        failures.put("close", new IllegalStateException("close fails"));
        submit(3);
        guard.reset();
        assertCopied(3);
        assertEquals(1, counted(DeviceHealth.Event.OUT_OF_SERVICE));
        submit(3);
        guard.poll();
        assertCopied(3);
    }
}
