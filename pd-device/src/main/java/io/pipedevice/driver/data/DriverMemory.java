// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.share.SharedQuota;
import io.pipedevice.memory.QuotaExceededException;

/**
 * The memory that the driver allocates and owns for processes: receive regions and driver pages. A part is reserved
 * for other users and network namespaces ({@link SharedQuota}). Belongs to the driver's thread.
 */
public final class DriverMemory {
    private final SharedQuota quota;
    private final DriverCounters counters;

    /**
     * Creates the account, with nothing taken.
     *
     * @param bytes most for all processes
     * @param counters of the driver
     */
    public DriverMemory(long bytes, DriverCounters counters) {
        this.quota = new SharedQuota(bytes);
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
}
