// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.policy.Policy;
import java.util.HashMap;
import java.util.Map;

/** The use of all containers with attachments. Belongs to the driver's thread. */
public final class ContainerUses {
    private final Map<String, ContainerUse> uses = new HashMap<>();
    private final Policy policy;

    /**
     * No container has an attachment.
     *
     * @param policy says what containers may use
     */
    public ContainerUses(Policy policy) {
        this.policy = policy;
    }

    /**
     * Counts an attachment.
     *
     * @param process that attaches
     * @param nowNs the time
     * @return the use of its container
     */
    public ContainerUse attach(Identity process, long nowNs) {
        ContainerUse use = uses.get(process.container());
        if (use == null) {
            use = new ContainerUse(process);
            use.limit(policy.limits(process), nowNs);
            uses.put(process.container(), use);
        }
        use.attachments(1);
        return use;
    }

    /**
     * An attachment has ended.
     *
     * @param use of its container
     */
    public void detach(ContainerUse use) {
        if (use.attachments(-1) == 0) {
            uses.remove(use.first().container());
        }
    }

    /**
     * Takes over the limits of a policy that has changed.
     *
     * @param nowNs the time
     */
    public void policyChanged(long nowNs) {
        uses.values().forEach(use -> use.limit(policy.limits(use.first()), nowNs));
    }
}
