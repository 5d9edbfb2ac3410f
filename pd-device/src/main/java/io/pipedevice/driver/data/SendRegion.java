// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.device.DeviceMapping;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * A process's region of send rings. The driver maps it read-only, and maps it for the device. It stays mapped while a
 * socket uses one of its rings, even if the process has removed it or is gone. Belongs to the driver's thread.
 */
public final class SendRegion {
    private final SharedRegion region;
    private final DeviceMapping mapping;
    private final Consumer<SharedRegion> unused;
    private int rings;
    private boolean removed;

    /**
     * Takes ownership of the region and its mapping.
     *
     * @param unused takes the region back when the device no longer maps it
     */
    SendRegion(SharedRegion region, DeviceMapping mapping, Consumer<SharedRegion> unused) {
        this.region = region;
        this.mapping = mapping;
        this.unused = unused;
    }

    /**
     * The size of the region.
     *
     * @return in bytes
     */
    public long size() {
        return region.size();
    }

    /**
     * Finds the device address of a part of a ring. Checks that its pages are allocated, and maps them now, because
     * otherwise the driver would take the page faults.
     *
     * @param offset of the part
     * @param size of the part, in bytes
     * @return its address, as the device gave it
     * @throws IOException if the owner has not allocated the pages, so that the driver would have to allocate them
     */
    public long address(long offset, int size) throws IOException {
        region.populateAllocated(offset, size);
        return mapping.address() + offset;
    }

    /** Records that another socket uses a ring of this region, which stays mapped until {@link #release}. */
    void retain() {
        rings++;
    }

    /** Releases a ring that is no longer used. */
    void release() {
        rings--;
        closeIfUnused();
    }

    /** Removes the region, because the process no longer uses it. */
    public void remove() {
        removed = true;
        closeIfUnused();
    }

    private void closeIfUnused() {
        if (removed && rings == 0) {
            mapping.close();
            unused.accept(region);
        }
    }
}
