// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

import io.pipedevice.driver.identity.ControlGroup;
import io.pipedevice.driver.identity.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Containers with a common name. A process belongs to it if it meets every condition. Immutable when it is built.
 */
public final class Group {
    private final String name;
    private final List<Predicate<Identity>> conditions;
    private final List<AddressRange> addresses;
    private final String text;

    private Group(Builder builder) {
        this.name = builder.name;
        this.conditions = List.copyOf(builder.conditions);
        this.addresses = List.copyOf(builder.addresses);
        this.text = String.join(", ", builder.texts);
    }

    /**
     * The name by which rules refer to it.
     *
     * @return unique in a policy
     */
    public String name() {
        return name;
    }

    /**
     * Whether the address of a connection decides too.
     *
     * @return false if only the process decides
     */
    public boolean hasAddresses() {
        return !addresses.isEmpty();
    }

    /** Whether a process meets the conditions, but for those on addresses. */
    boolean matches(Identity process) {
        for (Predicate<Identity> each : conditions) {
            if (!each.test(process)) {
                return false;
            }
        }
        return true;
    }

    /** Whether an end has one of the addresses; if its own is not known, whether its network namespace has. */
    boolean matchesAddress(Party end) {
        if (addresses.isEmpty()) {
            return true;
        }
        for (AddressRange each : addresses) {
            if (end.address() != null
                    ? each.contains(end.address())
                    : end.identity().knownAddresses().stream().anyMatch(each::contains)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return name + ": " + text;
    }

    /** Collects the conditions of a group. */
    public static final class Builder {
        private final String name;
        private final List<Predicate<Identity>> conditions = new ArrayList<>();
        private final List<AddressRange> addresses = new ArrayList<>();
        private final List<String> texts = new ArrayList<>();

        /**
         * Begins without a condition.
         *
         * @param name of the group
         */
        public Builder(String name) {
            this.name = name;
        }

        /**
         * The control group matches one of these.
         *
         * @param patterns with {@code *}, {@code ?} and {@code **}
         */
        public void cgroup(List<String> patterns) {
            List<PathPattern> parsed = patterns.stream().map(PathPattern::new).toList();
            add("cgroup", patterns, process -> {
                String path = process.controlGroup().path();
                return parsed.stream().anyMatch(each -> each.matches(path));
            });
        }

        /**
         * The pod is one of these.
         *
         * @param uids as Kubernetes writes them
         */
        public void pod(List<String> uids) {
            add("pod", uids, process -> {
                ControlGroup group = process.controlGroup();
                return group.podUid() != null && uids.contains(group.podUid());
            });
        }

        /**
         * The container's ID begins with one of these.
         *
         * @param prefixes hexadecimal digits
         */
        public void container(List<String> prefixes) {
            add("container", prefixes, process -> {
                String id = process.controlGroup().containerId();
                return id != null && prefixes.stream().anyMatch(id::startsWith);
            });
        }

        /**
         * The effective user is one of these.
         *
         * @param uids numbers in the driver's user namespace
         */
        public void user(List<Integer> uids) {
            add("user", uids.stream().map(Integer::toUnsignedString).toList(), process -> uids.contains(process.uid()));
        }

        /**
         * The network namespace is one of these.
         *
         * @param inodes of the namespaces
         */
        public void networkNamespace(List<Long> inodes) {
            add("network-namespace", inodes, process -> inodes.contains(process.networkNamespace()));
        }

        /**
         * The user namespace is one of these.
         *
         * @param inodes of the namespaces
         */
        public void userNamespace(List<Long> inodes) {
            add("user-namespace", inodes, process -> inodes.contains(process.userNamespace()));
        }

        /**
         * The address of the connection's end lies in one of these.
         *
         * @param ranges at least one
         */
        public void address(List<AddressRange> ranges) {
            addresses.addAll(ranges);
            texts.add("address " + text(ranges));
        }

        private void add(String key, List<?> values, Predicate<Identity> condition) {
            conditions.add(condition);
            texts.add(key + " " + text(values));
        }

        private static String text(List<?> values) {
            return String.join(" or ", values.stream().map(Object::toString).toList());
        }

        /**
         * Ends.
         *
         * @return the group
         */
        public Group build() {
            return new Group(this);
        }
    }
}
