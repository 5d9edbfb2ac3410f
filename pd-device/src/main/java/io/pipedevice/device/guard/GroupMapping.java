// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.guard;

import io.pipedevice.device.DeviceMapping;
import java.util.List;

/** Memory that is mapped for every device of a group. */
final class GroupMapping implements DeviceMapping {
    private final List<DeviceMapping> mappings;
    private final List<GuardedAddresses> addresses;
    private final long address;
    private boolean closed;

    /** One mapping and one table of addresses for each device. */
    GroupMapping(List<DeviceMapping> mappings, List<GuardedAddresses> addresses, long length) {
        this.mappings = mappings;
        this.addresses = addresses;
        this.address = mappings.getFirst().address();
        for (int i = 1; i < mappings.size(); i++) {
            addresses.get(i).add(address, length, mappings.get(i).address());
        }
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            for (int i = 1; i < mappings.size(); i++) {
                addresses.get(i).remove(address);
            }
            mappings.forEach(DeviceMapping::close);
        }
    }
}
