// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.edu;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceCapabilities;
import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.device.pci.FunctionMemory;
import io.pipedevice.device.pci.PciFunction;
import io.pipedevice.device.pci.PciSlot;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * QEMU's {@code edu} as a device: one lane, one copy at a time, and 10 KB per second. It is an example of a back end
 * for another device (docs/devices.md).
 *
 * <p>Threads: as for {@link Device}. Owns the function.
 */
public final class EduDevice implements Device {
    private static final int DEPTH = 2;

    /** Time for two commands of two transfers of 100 ms each, on a machine that emulates slowly. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(3);

    private final PciFunction function;
    private final DeviceHealth health;
    private final EduEngine engine;
    private final FunctionMemory memory;
    private final EduLane lane;
    private volatile Runnable interruptHandler = () -> {};
    private boolean closed;

    /**
     * Starts a device.
     *
     * @param function owned by the device from now on, even if this fails
     * @throws IOException if the function is not an edu device, or does not answer
     */
    public EduDevice(PciFunction function) throws IOException {
        this.function = function;
        health = new DeviceHealth(name());
        engine = new EduEngine(function, health);
        memory = new FunctionMemory(function, EduDescriptor.ADDRESS_BITS);
        lane = new EduLane(engine, memory, DEPTH);
        try {
            if (!engine.isThere()) {
                throw new IOException(function.name() + " is not an edu device: its id is 0x"
                        + Integer.toHexString(function.read(EduDescriptor.ID_OFFSET)));
            }
            function.onInterrupt(this::interrupt);
            engine.reset();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Whether a function is an edu device.
     *
     * @param slot as the kernel describes it
     * @return whether its ids match
     */
    public static boolean isOne(PciSlot slot) {
        return slot.vendor() == EduDescriptor.VENDOR && slot.device() == EduDescriptor.DEVICE;
    }

    /** Called by any thread. */
    private void interrupt(int vector) {
        health.interrupted();
        engine.interrupted();
        interruptHandler.run();
    }

    @Override
    public String name() {
        return "edu " + function.name();
    }

    @Override
    public DeviceCapabilities capabilities() {
        return new DeviceCapabilities(EduDescriptor.MAX_TRANSFER, 1, 1, DEPTH, function.pinsMemory());
    }

    @Override
    public long patienceNs() {
        return PATIENCE_NS;
    }

    @Override
    public DeviceMapping map(MemorySegment segment, DeviceMapping.Access access) throws IOException {
        return memory.map(segment, access);
    }

    @Override
    public DeviceLane lane(int index) {
        return List.of(lane).get(index);
    }

    /** Executes no command itself, but starts the device's next step. */
    @Override
    public int poll() {
        lane.step();
        return 0;
    }

    @Override
    public void onInterrupt(Runnable handler) {
        interruptHandler = handler;
    }

    @Override
    public List<DeviceHealth> health() {
        return List.of(health);
    }

    @Override
    public void reset() throws IOException {
        if (closed) {
            throw new IOException(name() + " is closed");
        }
        engine.reset();
        lane.afterReset();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            memory.close();
            function.close();
        }
    }

    @Override
    public String toString() {
        return "EduDevice{" + function + '}';
    }
}
