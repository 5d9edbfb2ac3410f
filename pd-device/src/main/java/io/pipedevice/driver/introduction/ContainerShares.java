// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.SharedQuota;
import java.util.HashMap;
import java.util.Map;

/**
 * A stock of the driver of which each user and each container may take a share, as {@link SharedQuota} says; a
 * container here is what accounts and limits count as one. Belongs to the driver's thread.
 */
final class ContainerShares {
    private final SharedQuota quota;

    /** The containers that hold something. */
    private final Map<String, Holder> holders = new HashMap<>();

    private int numbers;

    /** A container, by a number of its own. */
    private static final class Holder {
        final int number;
        long held;

        Holder(int number) {
            this.number = number;
        }
    }

    /** Creates it with nothing taken. */
    ContainerShares(long stock) {
        quota = new SharedQuota(stock);
    }

    /** Takes one for a process; false if its user or its container has its share. */
    boolean take(Identity process) {
        Holder holder = holders.get(process.container());
        if (holder == null) {
            holder = new Holder(++numbers);
        }
        if (!quota.take(process.uid(), Integer.toUnsignedLong(holder.number), 1)) {
            return false;
        }
        holder.held++;
        holders.put(process.container(), holder);
        return true;
    }

    /** Gives one back. */
    void give(Identity process) {
        Holder holder = holders.get(process.container());
        quota.give(process.uid(), Integer.toUnsignedLong(holder.number), 1);
        if (--holder.held == 0) {
            holders.remove(process.container());
        }
    }

    /** The amount that is taken. */
    long taken() {
        return quota.taken();
    }
}
