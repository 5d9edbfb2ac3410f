// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.device.DeviceMapping;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;

/**
 * A container's region of send rings, as the driver maps it: read-only, and known to the device. It stays mapped while a
 * socket uses a ring of it, also when the container has removed it or is gone. Belongs to the driver's thread.
 */
final class SendRegion {
    private final SharedRegion region;
    private final DeviceMapping mapping;
    private int rings;
    private boolean removed;

    SendRegion(SharedRegion region, DeviceMapping mapping) {
        this.region = region;
        this.mapping = mapping;
    }

    long size() {
        return region.size();
    }

    /** Address of a ring for the device; the ring's pages are made sure of, because a fault would be ours. */
    long address(long offset, int size) throws IOException {
        region.populate(offset, size);
        return mapping.address() + offset;
    }

    void retain() {
        rings++;
    }

    /** A ring is no longer used. Returns true if that closed the region. */
    boolean release() {
        rings--;
        return closeIfUnused();
    }

    /** The container does not use the region any more. Returns true if that closed the region. */
    boolean remove() {
        removed = true;
        return closeIfUnused();
    }

    private boolean closeIfUnused() {
        if (removed && rings == 0) {
            mapping.close();
            region.close();
            return true;
        }
        return false;
    }
}
