// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device;

/** Memory that a {@link Device} can reach. Belongs to the driver's thread, which closes it. */
public interface DeviceMapping extends AutoCloseable {
    /** Permitted use of mapped memory. */
    enum Access {
        /** The device may read the memory: it may be a source. For send rings. */
        READ,

        /** The device may write the memory: it may be a destination. For receive rings. */
        WRITE
    }

    /**
     * The address of the memory's first byte in the device's address space. The other bytes follow without gaps.
     *
     * @return never 0
     */
    long address();

    /**
     * Unmaps the memory. Commands that name it and are not executed yet fail with {@code STATUS_ADDRESS}; when this
     * returns, the device no longer touches the memory. A second call does nothing.
     */
    @Override
    void close();
}
