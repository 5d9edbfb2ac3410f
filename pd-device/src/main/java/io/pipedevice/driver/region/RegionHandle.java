// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.driver.data.Container;

/** A region that a process has registered or found. Belongs to the driver's thread. */
public final class RegionHandle {
    /** The region. */
    public final Region region;

    /** The process. */
    final Container container;

    final int number;

    private final boolean owners;

    /** The rights when they were last looked up, and the versions of grants and policy then. */
    private int rights;

    private long regionVersion = -1;
    private long policyVersion = -1;

    RegionHandle(Container container, Region region, int number, boolean owners) {
        this.container = container;
        this.region = region;
        this.number = number;
        this.owners = owners;
    }

    /**
     * The number by which the process names it.
     *
     * @return not used for another region of the process for long
     */
    public int number() {
        return number;
    }

    /**
     * Whether the process got it because it registered the region, and not because it found it.
     *
     * @return whether the region ends with this
     */
    public boolean isOwners() {
        return owners;
    }

    /** The present rights of the process. */
    int rights(RegionTable table) {
        if (regionVersion != region.version() || policyVersion != table.policyVersion()) {
            regionVersion = region.version();
            policyVersion = table.policyVersion();
            rights = table.rights(region, container);
        }
        return rights;
    }
}
