// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceCapabilities;
import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.queue.Command;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** A device of one lane that accepts every command and executes none. */
final class PlayedDevice implements Device, DeviceLane {
    @Override
    public String name() {
        return "played";
    }

    @Override
    public DeviceCapabilities capabilities() {
        return new DeviceCapabilities(1 << 16, 1, 1, 1024, false);
    }

    @Override
    public DeviceMapping map(MemorySegment memory, DeviceMapping.Access access) {
        throw new UnsupportedOperationException("this device maps no memory");
    }

    @Override
    public DeviceLane lane(int index) {
        return this;
    }

    @Override
    public int poll() {
        return 0;
    }

    @Override
    public void onInterrupt(Runnable handler) {}

    @Override
    public List<DeviceHealth> health() {
        return List.of();
    }

    @Override
    public void reset() {}

    @Override
    public void close() {}

    @Override
    public boolean submit(Command command) {
        return true;
    }

    @Override
    public void flush() {}

    @Override
    public boolean complete(Command into) {
        return false;
    }

    @Override
    public void flushCompletions() {}

    @Override
    public boolean requestInterrupt() {
        return true;
    }

    @Override
    public void cancelInterrupt() {}

    @Override
    public int outstanding() {
        return 0;
    }
}
