// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.fpga;

import io.pipedevice.device.DeviceMapping;

/** Memory that the device reaches at an IOVA. */
final class FpgaMapping implements DeviceMapping {
    private final FpgaDevice device;
    private final long address;
    private final long length;
    private boolean closed;

    FpgaMapping(FpgaDevice device, long address, long length) {
        this.device = device;
        this.address = address;
        this.length = length;
    }

    @Override
    public long address() {
        return address;
    }

    long length() {
        return length;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            device.unmap(this);
        }
    }
}
