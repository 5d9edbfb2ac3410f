// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.share.SharedQuota;
import io.pipedevice.linux.Disposal;
import io.pipedevice.memory.QuotaExceededException;
import io.pipedevice.memory.RingBufferPool;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;

/**
 * What the driver does with the memory of all processes. It keeps the account of the memory that it allocates and owns
 * for them: receive regions and driver pages. A part is reserved for other users and network namespaces
 * ({@link SharedQuota}). It maps memory for the device, and has other threads unmap it. Belongs to the driver's thread.
 */
public final class DriverMemory {
    private final SharedQuota quota;
    private final Device device;
    private final boolean hugePages;
    private final Disposal disposal;
    private final Chores chores;
    private final DriverCounters counters;

    /**
     * Creates the account, with nothing taken.
     *
     * @param bytes most for all processes
     * @param device maps the memory of processes
     * @param hugePages whether receive rings try 2 MB pages first
     * @param disposal closes memory
     * @param chores does long work in steps
     * @param counters of the driver
     */
    public DriverMemory(
            long bytes, Device device, boolean hugePages, Disposal disposal, Chores chores, DriverCounters counters) {
        this.quota = new SharedQuota(bytes);
        this.device = device;
        this.hugePages = hugePages;
        this.disposal = disposal;
        this.chores = chores;
        this.counters = counters;
    }

    /**
     * Takes memory for a process.
     *
     * @param use of its container, charged for it
     * @param identity charged for it
     * @param bytes how much
     * @throws QuotaExceededException if that exceeds the share of its user or its network namespace, or the policy's
     *     limit
     */
    public void take(ContainerUse use, Identity identity, long bytes) throws QuotaExceededException {
        use.takeReceiveMemory(bytes);
        if (!quota.take(identity.uid(), identity.networkNamespace(), bytes)) {
            use.giveReceiveMemory(bytes);
            counters.shareRefusals.add(1);
            throw new QuotaExceededException("another " + bytes + " bytes exceed the share of the user or its network"
                    + " namespace: " + quota.taken() + " of the driver's " + quota.stock() + " are in use");
        }
        counters.memory.set(quota.taken());
    }

    /**
     * Gives memory back.
     *
     * @param use was charged for it
     * @param identity was charged for it
     * @param bytes how much
     */
    public void give(ContainerUse use, Identity identity, long bytes) {
        use.giveReceiveMemory(bytes);
        quota.give(identity.uid(), identity.networkNamespace(), bytes);
        counters.memory.set(quota.taken());
    }

    /** Maps a region for the device. */
    DeviceMapping map(SharedRegion region, DeviceMapping.Access access) throws IOException {
        return device.map(region.memory(), access);
    }

    /** Creates an empty pool of receive rings. */
    RingBufferPool receivePool(String name, long bytes, RingBufferPool.Listener listener) {
        return new RingBufferPool(
                name, bytes, hugePages, device.capabilities().pinsMemory(), listener, this::closeSoon);
    }

    /**
     * Has another thread close memory, because the kernel takes milliseconds to unmap a large region and to free its
     * pages. This is a chore, because one duty cycle may release many regions.
     */
    void closeSoon(AutoCloseable memory) {
        chores.add(now -> {
            disposal.close(memory);
            return false;
        });
    }
}
