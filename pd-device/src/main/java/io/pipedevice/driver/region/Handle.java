// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.driver.data.AttachedProcess;

/**
 * An object that a process has registered or found, as it names it. Belongs to the driver's thread.
 *
 * @param <T> the type of the object
 */
public final class Handle<T extends Shared> {
    /** The object that the process means. */
    public final T target;

    /** The process. */
    final AttachedProcess process;

    final int number;

    private final boolean owners;

    /** The rights when they were last looked up, and the versions of grants and policy then. */
    private int rights;

    private long targetVersion = -1;
    private long policyVersion = -1;

    Handle(AttachedProcess process, T target, int number, boolean owners) {
        this.process = process;
        this.target = target;
        this.number = number;
        this.owners = owners;
    }

    /**
     * The number by which the process names it.
     *
     * @return not used for another one of the process for long
     */
    public int number() {
        return number;
    }

    /**
     * Whether the process got it because it registered the target, and not because it found it.
     *
     * @return whether the target ends with this
     */
    public boolean isOwners() {
        return owners;
    }

    /**
     * The present rights of the process.
     *
     * @param rules says what the policy permits
     * @return or-ed
     */
    public int rights(Rights rules) {
        if (targetVersion != target.version() || policyVersion != rules.version()) {
            targetVersion = target.version();
            policyVersion = rules.version();
            rights = rules.of(target, process);
        }
        return rights;
    }
}
