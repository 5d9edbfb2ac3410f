// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.driver.data.Container;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.driver.policy.Party;
import io.pipedevice.driver.policy.Policy;
import io.pipedevice.driver.policy.Ruling;
import io.pipedevice.protocol.RegionMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * The regions that have names, and the rights to them: what the owner gives, to processes that the policy lets connect to
 * the owner. A name belongs to one region of each container and user. Belongs to the driver's thread.
 */
public final class RegionTable {
    private final Policy policy;
    private final Map<String, List<Region>> named = new HashMap<>();
    private long policyVersion;

    /**
     * Creates an empty table.
     *
     * @param policy says which processes may connect
     */
    public RegionTable(Policy policy) {
        this.policy = policy;
    }

    long policyVersion() {
        return policyVersion;
    }

    /** Takes over a policy that has changed. */
    void policyChanged() {
        policyVersion++;
    }

    /**
     * The rights of a process to a region.
     *
     * @param region any
     * @param process any
     * @return or-ed
     */
    public int rights(Region region, Container process) {
        if (region.owner == process) {
            return RegionMessage.ALL;
        }
        return ruling(region, process).regions() & region.rights(process);
    }

    private Ruling ruling(Region region, Container process) {
        return policy.rule(new Party(process.identity, null), new Party(region.owner.identity, null));
    }

    /**
     * Whether a process may know that a region exists.
     *
     * @param region any
     * @param process that looks for it
     * @return whether the policy lets the process connect to the owner
     */
    public boolean isVisible(Region region, Container process) {
        return region.owner == process || ruling(region, process).isPermitted();
    }

    /**
     * Whether a process that may read a region may map it.
     *
     * @param region any
     * @param process that has found it
     * @return whether the policy's path is direct
     */
    public boolean isDirect(Region region, Container process) {
        return region.owner == process || ruling(region, process).path() == DataPath.DIRECT;
    }

    /**
     * Names a region.
     *
     * @param region without a name
     * @param name of the region
     * @return false if another region of its container and user has the name
     */
    public boolean publish(Region region, String name) {
        List<Region> others = named.computeIfAbsent(name, key -> new ArrayList<>(1));
        for (Region other : others) {
            if (isNeighbour(other, region.owner)) {
                return false;
            }
        }
        region.name = name;
        others.add(region);
        return true;
    }

    private static boolean isNeighbour(Region region, Container process) {
        return region.owner.identity.uid() == process.identity.uid()
                && region.owner.identity.container().equals(process.identity.container());
    }

    /**
     * Takes a region's name away.
     *
     * @param region with a name or without
     */
    public void withdraw(Region region) {
        List<Region> others = region.name == null ? null : named.get(region.name);
        if (others != null) {
            others.remove(region);
            if (others.isEmpty()) {
                named.remove(region.name);
            }
        }
    }

    /**
     * The regions of a name that a process may know of; only that of its own container and user if there is one.
     *
     * @param name any text
     * @param process that looks for it
     * @param users whose regions are wanted
     * @return a new list
     */
    public List<Region> find(String name, Container process, IntPredicate users) {
        List<Region> found = new ArrayList<>();
        for (Region region : named.getOrDefault(name, List.of())) {
            if (!users.test(region.owner.identity.uid())) {
                continue;
            }
            if (isNeighbour(region, process)) {
                found.clear();
                found.add(region);
                return found;
            }
            if (isVisible(region, process)) {
                found.add(region);
            }
        }
        return found;
    }
}
