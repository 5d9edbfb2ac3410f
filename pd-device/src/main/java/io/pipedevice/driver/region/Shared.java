// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.driver.data.AttachedProcess;
import java.util.ArrayList;
import java.util.List;

/** An object that a process registers, and that others with rights find by a name. Belongs to the driver's thread. */
public abstract class Shared {
    private static final int MAX_GRANTS = 64;

    /** The process that has it. */
    public final AttachedProcess owner;

    /** {@link Names}: its name; null before it has one. */
    String name;

    private final List<RightsGrant> grants = new ArrayList<>();

    /** Of the processes that have it or have found it: run when rights change, and at its end. */
    private final List<Runnable> watchers = new ArrayList<>();

    /** Grows when rights change, so that they are looked up again. */
    private long version;

    private boolean open = true;

    /**
     * Begins without a name and without rights of others.
     *
     * @param owner has it
     */
    protected Shared(AttachedProcess owner) {
        this.owner = owner;
    }

    /**
     * All rights that its owner has.
     *
     * @return or-ed
     */
    protected abstract int rights();

    /**
     * Whether it and another one cannot have the same name in one container.
     *
     * @param other of the same class and name
     * @return true if they would be one for those that look for the name
     */
    protected boolean collides(Shared other) {
        return true;
    }

    /**
     * Whether it has a name.
     *
     * @return whether other processes may find it
     */
    final boolean isNamed() {
        return name != null;
    }

    /**
     * Whether operations may begin.
     *
     * @return false once it was closed
     */
    public final boolean isOpen() {
        return open;
    }

    /**
     * Lets no operation begin any more.
     *
     * @return false if that was so before
     */
    protected final boolean end() {
        if (!open) {
            return false;
        }
        open = false;
        changed();
        return true;
    }

    final long version() {
        return version;
    }

    /** The rights that the owner gives to a process. */
    final int rights(AttachedProcess process) {
        int rights = 0;
        for (int i = 0; i < grants.size(); i++) {
            if (grants.get(i).covers(process.identity)) {
                rights |= grants.get(i).rights();
            }
        }
        return rights & rights();
    }

    /**
     * Gives rights, in place of those that the same subject had. An operation that has begun is not ended.
     *
     * @param grant the rights; none withdraws them
     * @return false if there are too many grants
     */
    final boolean grant(RightsGrant grant) {
        grants.removeIf(grant::hasSubjectOf);
        if (grant.rights() != 0) {
            if (grants.size() >= MAX_GRANTS) {
                return false;
            }
            grants.add(grant);
        }
        changed();
        return true;
    }

    private void changed() {
        version++;
        for (Runnable watcher : List.copyOf(watchers)) {
            watcher.run();
        }
    }

    /**
     * Has something run when rights change, and at the end.
     *
     * @param changed runs on the driver's thread
     */
    public final void watch(Runnable changed) {
        watchers.add(changed);
    }

    /**
     * Takes back one {@link #watch}.
     *
     * @param changed as it was given
     */
    public final void unwatch(Runnable changed) {
        watchers.remove(changed);
    }
}
