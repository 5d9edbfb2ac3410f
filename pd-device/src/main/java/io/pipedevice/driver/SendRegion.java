// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.device.DeviceMapping;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * A container's region of send rings, as the driver maps it: read-only, and known to the device. It stays mapped while a
 * socket uses a ring of it, also when the container has removed it or is gone. Belongs to the driver's thread.
 */
final class SendRegion {
    private final SharedRegion region;
    private final DeviceMapping mapping;
    private final Consumer<SharedRegion> unused;
    private int rings;
    private boolean removed;

    /**
     * Takes both over.
     *
     * @param unused takes the region back when the device does not map it any more
     */
    SendRegion(SharedRegion region, DeviceMapping mapping, Consumer<SharedRegion> unused) {
        this.region = region;
        this.mapping = mapping;
        this.unused = unused;
    }

    long size() {
        return region.size();
    }

    /**
     * Address of a ring for the device; the ring's pages are made sure of, because a fault would be ours.
     *
     * @throws IOException if its owner has not allocated them: they would be the driver's memory
     */
    long address(long offset, int size) throws IOException {
        if (!region.isBacked(offset, size)) {
            throw new IOException("it has pages that its owner has not allocated");
        }
        region.populate(offset, size);
        return mapping.address() + offset;
    }

    void retain() {
        rings++;
    }

    /** A ring is no longer used. */
    void release() {
        rings--;
        closeIfUnused();
    }

    /** The container does not use the region any more. */
    void remove() {
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
