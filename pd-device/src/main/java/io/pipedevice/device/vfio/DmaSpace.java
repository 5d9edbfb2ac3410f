// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.vfio;

import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.linux.DeviceFile;
import io.pipedevice.linux.LinuxException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The memory that a device can reach through the IOMMU, by either of the kernel's interfaces. Belongs to the driver's
 * thread.
 */
interface DmaSpace extends AutoCloseable {
    /** Addresses that may be mapped, from the first to the last. */
    record Range(long first, long last) {}

    /** The device, which the space owns. */
    DeviceFile device();

    /** Granularity of mappings, in bytes. */
    long pageSize();

    /** At least one range, ordered by address. */
    List<Range> ranges();

    /** Maps whole pages. */
    void map(long iova, MemorySegment memory, Access access) throws LinuxException;

    /** Unmaps a range that was mapped as a whole. */
    void unmap(long iova, long length) throws LinuxException;

    /** Closes the device first, then the files that it depends on, which unmaps the memory. */
    @Override
    void close();
}
