// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import io.pipedevice.device.DeviceMapping;

/** The user's view of an entry of the address table. */
final class EmulatorMapping implements DeviceMapping {
    private final DmaEmulator emulator;
    private final AddressTable.Entry entry;
    private boolean closed;

    EmulatorMapping(DmaEmulator emulator, AddressTable.Entry entry) {
        this.emulator = emulator;
        this.entry = entry;
    }

    @Override
    public long address() {
        return entry.base();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            emulator.unmap(entry);
        }
    }
}
