// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.guard;

import io.pipedevice.device.DeviceMapping;

/** Memory that is mapped for the device and for the emulator. */
final class GuardedMapping implements DeviceMapping {
    private final GuardedAddresses addresses;
    private final DeviceMapping device;
    private final DeviceMapping emulator;
    private boolean closed;

    /**
     * Takes ownership of both mappings, which are closed with this one.
     *
     * @param device the emulator's, if there is no device any more
     */
    GuardedMapping(GuardedAddresses addresses, DeviceMapping device, DeviceMapping emulator, long length) {
        this.addresses = addresses;
        this.device = device;
        this.emulator = emulator;
        addresses.add(device.address(), length, emulator.address());
    }

    @Override
    public long address() {
        return device.address();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            addresses.remove(device.address());
            device.close();
            emulator.close();
        }
    }
}
