// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.protocol.ContainerName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The objects that have names. A name belongs to one of each container and user, or to several that do not
 * {@linkplain Shared#collides collide}. Belongs to the driver's thread.
 *
 * @param <T> the type of the objects
 */
public final class Names<T extends Shared> {
    private final Rights rights;
    private final Map<String, List<T>> named = new HashMap<>();

    /**
     * Begins without names.
     *
     * @param rights says which process may know of what
     */
    public Names(Rights rights) {
        this.rights = rights;
    }

    /**
     * Gives a name.
     *
     * @param target without a name
     * @param name of it
     * @return false if another one of its container and user has the name
     */
    public boolean publish(T target, String name) {
        List<T> others = named.computeIfAbsent(name, key -> new ArrayList<>(1));
        for (T other : others) {
            if (isNeighbour(other, target.owner) && target.collides(other)) {
                return false;
            }
        }
        target.name = name;
        others.add(target);
        return true;
    }

    /**
     * Whether something is of the container and user of a process.
     *
     * @param target any
     * @param process any
     * @return whether the process finds it before those of others
     */
    public static boolean isNeighbour(Shared target, AttachedProcess process) {
        return target.owner.identity.uid() == process.identity.uid() && isSameContainer(target.owner, process);
    }

    private static boolean isSameContainer(AttachedProcess one, AttachedProcess other) {
        return one.identity.container().equals(other.identity.container());
    }

    /**
     * Whether a name means things of several containers, or of several users of one.
     *
     * @param found of one name, not empty
     * @return two of the owners, for a person; null if all have the same container and user
     */
    static String severalOwners(List<? extends Shared> found) {
        AttachedProcess first = found.getFirst().owner;
        String several = null;
        for (Shared each : found) {
            if (!isSameContainer(first, each.owner)) {
                return "containers " + container(first) + " and " + container(each.owner);
            }
            if (!isNeighbour(each, first)) {
                several = "users " + user(first) + " and " + user(each.owner) + " of container " + container(first);
            }
        }
        return several;
    }

    private static String user(AttachedProcess owner) {
        return Integer.toUnsignedString(owner.identity.uid());
    }

    /**
     * The container of an owner.
     *
     * @param owner of something with a name
     * @return for a person
     */
    static String container(AttachedProcess owner) {
        Identity identity = owner.identity;
        return ContainerName.shown(identity.containerName());
    }

    /**
     * Takes the name away.
     *
     * @param target with a name or without
     */
    public void withdraw(T target) {
        List<T> others = target.name == null ? null : named.get(target.name);
        if (others != null) {
            others.remove(target);
            if (others.isEmpty()) {
                named.remove(target.name);
            }
        }
    }

    /**
     * Returns the entries of a name that a process may know of. If its own container and user have any, only these.
     *
     * @param name any text
     * @param process that looks for it
     * @param wanted the other conditions
     * @return a new list
     */
    public List<T> find(String name, AttachedProcess process, Predicate<? super T> wanted) {
        List<T> near = new ArrayList<>();
        List<T> far = new ArrayList<>();
        for (T target : named.getOrDefault(name, List.of())) {
            if (!wanted.test(target)) {
                continue;
            }
            if (isNeighbour(target, process)) {
                near.add(target);
            } else if (near.isEmpty() && rights.isVisible(target, process)) {
                far.add(target);
            }
        }
        return near.isEmpty() ? far : near;
    }
}
