// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy.file;

import io.pipedevice.driver.policy.AddressRange;
import io.pipedevice.driver.policy.Group;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UserIds;
import io.pipedevice.linux.UserNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads the conditions of one group of containers. */
final class GroupReader {
    private static final List<String> KEYS =
            List.of("cgroup", "pod", "container", "user", "network-namespace", "user-namespace", "address");
    private static final String UID_OF_POD = "[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    private static final String ID_OF_CONTAINER = "[0-9a-f]{8,64}";

    /** The namespace of the driver itself. */
    private static final String OWN = "driver";

    private final String file;
    private final Section section;
    private final Group.Builder builder;

    GroupReader(String file, String name, Node node) throws PolicyException {
        this.file = file;
        this.section = new Section(file, "containers " + name, node, KEYS);
        this.builder = new Group.Builder(name);
    }

    Group read() throws PolicyException {
        boolean hasAny = false;
        for (String key : section.keys()) {
            List<String> words = section.words(key);
            hasAny = true;
            switch (key) {
                case "cgroup" -> builder.cgroup(matching(key, words, "/.*|\\*\\*.*", "paths that begin with / or **"));
                case "pod" -> builder.pod(matching(key, words, UID_OF_POD, "UIDs as Kubernetes writes them"));
                case "container" ->
                    builder.container(matching(key, words, ID_OF_CONTAINER, "8 to 64 digits 0-9 a-f of an ID"));
                case "user" -> builder.user(users(words));
                case "network-namespace" -> builder.networkNamespace(namespaces(key, words));
                case "user-namespace" -> builder.userNamespace(namespaces(key, words));
                default -> builder.address(addresses(words));
            }
        }
        if (!hasAny) {
            throw new PolicyException(
                    file, section.line(), "containers without a condition; allowed: " + String.join(", ", KEYS));
        }
        return builder.build();
    }

    private List<String> matching(String key, List<String> words, String form, String allowed) throws PolicyException {
        for (String word : words) {
            if (!word.matches(form)) {
                throw section.refused(key, word, allowed);
            }
        }
        return words;
    }

    private List<Integer> users(List<String> words) throws PolicyException {
        List<Integer> users = new ArrayList<>();
        for (String word : words) {
            int user = user(word);
            if (!UserIds.isKnown(user)) {
                throw section.refused("user", word, "users that the kernel can tell from others");
            }
            users.add(user);
        }
        return users;
    }

    private int user(String word) throws PolicyException {
        try {
            return Integer.parseUnsignedInt(word);
        } catch (NumberFormatException notANumber) {
            try {
                return UserNames.number(word);
            } catch (IOException e) {
                throw section.refused(
                        "user", word, "numbers, and names of users of this system (" + e.getMessage() + ")");
            }
        }
    }

    private List<Long> namespaces(String key, List<String> words) throws PolicyException {
        List<Long> inodes = new ArrayList<>();
        for (String word : words) {
            try {
                inodes.add(word.equals(OWN) ? own(key) : Long.parseUnsignedLong(word));
            } catch (NumberFormatException e) {
                throw section.refused(key, word, OWN + ", and the number in readlink /proc/PID/ns");
            }
        }
        return inodes;
    }

    private long own(String key) throws PolicyException {
        try {
            return key.startsWith("network") ? ProcessFacts.networkNamespace(0) : ProcessFacts.userNamespace(0);
        } catch (IOException e) {
            throw section.problem(key, e.getMessage());
        }
    }

    private List<AddressRange> addresses(List<String> words) throws PolicyException {
        List<AddressRange> ranges = new ArrayList<>();
        for (String word : words) {
            try {
                ranges.add(AddressRange.parse(word));
            } catch (IllegalArgumentException e) {
                throw section.refused("address", word, e.getMessage());
            }
        }
        return ranges;
    }
}
