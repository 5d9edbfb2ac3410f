// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.driver.policy.Party;
import io.pipedevice.driver.policy.Policy;
import io.pipedevice.driver.policy.Ruling;

/**
 * The rights to what processes share: what the owner gives, to processes that the policy lets connect to the owner.
 * Belongs to the driver's thread.
 */
public final class Rights {
    private final Policy policy;
    private long version;

    /**
     * Begins.
     *
     * @param policy says which processes may connect
     */
    public Rights(Policy policy) {
        this.policy = policy;
    }

    long version() {
        return version;
    }

    /** Takes over a policy that has changed. */
    void policyChanged() {
        version++;
    }

    /**
     * The rights of a process.
     *
     * @param target any
     * @param process any
     * @return or-ed
     */
    public int of(Shared target, AttachedProcess process) {
        if (target.owner == process) {
            return target.rights();
        }
        return ruling(target, process).regions() & target.rights(process);
    }

    private Ruling ruling(Shared target, AttachedProcess process) {
        return policy.rule(new Party(process.identity, null), new Party(target.owner.identity, null));
    }

    /**
     * Whether the policy lets a process have some rights, if the owner gives them.
     *
     * @param target any
     * @param process any
     * @param needed or-ed; 0 for any right
     * @return whether the owner's grants alone decide
     */
    boolean mayHave(Shared target, AttachedProcess process, int needed) {
        return target.owner == process || suffice(ruling(target, process).regions() & target.rights(), needed);
    }

    /**
     * Whether rights are those that are needed.
     *
     * @param rights or-ed
     * @param needed or-ed; 0 for any right
     * @return false also without rights
     */
    static boolean suffice(int rights, int needed) {
        return rights != 0 && (rights & needed) == needed;
    }

    /** Whether a process may know that something exists: whether the policy lets it connect to the owner. */
    boolean isVisible(Shared target, AttachedProcess process) {
        return target.owner == process || ruling(target, process).isPermitted();
    }

    /**
     * Whether a process that may read a region may map it.
     *
     * @param region any
     * @param process that has found it
     * @return whether the policy's path is direct
     */
    boolean isDirect(RegisteredRegion region, AttachedProcess process) {
        return region.owner == process || ruling(region, process).path() == DataPath.DIRECT;
    }
}
