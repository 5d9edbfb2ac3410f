// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.guard;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceCapabilities;
import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Several devices, of any kinds, as one. The group has the lanes of all devices, taken from each in turn, so that
 * connections are spread over the devices. Memory is mapped for all of them. The group's addresses are those of the
 * first device, and the lanes of the others translate them.
 *
 * <p>The group's limits are those that every device supports: the shortest queue and the shortest transfer. The caller
 * guards devices that may fail ({@link GuardedDevice}) before it adds them to a group.
 *
 * <p>Threads: as for {@link Device}. Owns the devices.
 */
public final class DeviceGroup implements Device {
    private final List<Device> devices;
    private final List<GuardedAddresses> addresses = new ArrayList<>();
    private final DeviceCapabilities capabilities;
    private final DeviceLane[] lanes;
    private final List<DeviceHealth> health = new ArrayList<>();

    /**
     * Creates a group.
     *
     * @param devices at least one, each of which always completes its commands in order; owned by the group from now on
     */
    public DeviceGroup(List<Device> devices) {
        this.devices = List.copyOf(devices);
        capabilities = common(this.devices);
        for (Device device : this.devices) {
            addresses.add(new GuardedAddresses());
            health.addAll(device.health());
        }
        lanes = new DeviceLane[capabilities.lanes()];
        int next = 0;
        for (int round = 0; next < lanes.length; round++) {
            for (int i = 0; i < this.devices.size(); i++) {
                if (round < this.devices.get(i).capabilities().lanes()) {
                    DeviceLane lane = this.devices.get(i).lane(round);
                    lanes[next++] = i == 0 ? lane : new GroupLane(lane, addresses.get(i), capabilities.queueDepth());
                }
            }
        }
    }

    private static DeviceCapabilities common(List<Device> devices) {
        int maxTransfer = Integer.MAX_VALUE;
        int alignment = 1;
        int lanes = 0;
        int depth = Integer.MAX_VALUE;
        boolean pinned = false;
        for (Device device : devices) {
            DeviceCapabilities can = device.capabilities();
            maxTransfer = Math.min(maxTransfer, can.maxTransfer());
            alignment = Math.max(alignment, can.alignment());
            lanes += can.lanes();
            depth = Math.min(depth, can.queueDepth());
            pinned |= can.pinsMemory();
        }
        return new DeviceCapabilities(maxTransfer, alignment, lanes, depth, pinned);
    }

    @Override
    public String name() {
        return devices.stream().map(Device::name).collect(Collectors.joining(" + "));
    }

    @Override
    public DeviceCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public long patienceNs() {
        return devices.stream().mapToLong(Device::patienceNs).max().orElse(0);
    }

    @Override
    public DeviceMapping map(MemorySegment memory, DeviceMapping.Access access) throws IOException {
        List<DeviceMapping> mappings = new ArrayList<>();
        try {
            for (Device device : devices) {
                mappings.add(device.map(memory, access));
            }
        } catch (IOException | RuntimeException e) {
            mappings.forEach(DeviceMapping::close);
            throw e;
        }
        return new GroupMapping(mappings, addresses, memory.byteSize());
    }

    @Override
    public DeviceLane lane(int index) {
        return lanes[index];
    }

    @Override
    public int poll() {
        int work = 0;
        for (int i = 0; i < devices.size(); i++) {
            work += devices.get(i).poll();
        }
        return work;
    }

    @Override
    public void onInterrupt(Runnable handler) {
        devices.forEach(device -> device.onInterrupt(handler));
    }

    @Override
    public List<DeviceHealth> health() {
        return health;
    }

    @Override
    public void reset() throws IOException {
        for (Device device : devices) {
            device.reset();
        }
    }

    @Override
    public void close() {
        devices.forEach(Device::close);
    }

    @Override
    public String toString() {
        return "DeviceGroup" + devices;
    }
}
