// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.policy.Group;
import io.pipedevice.driver.policy.Limits;
import io.pipedevice.driver.policy.RulePolicy;
import io.pipedevice.driver.policy.Sameness;
import io.pipedevice.property.EnumWords;
import io.pipedevice.property.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says in words what a policy says in YAML. */
final class PolicyText {
    private static final double BITS = 8;
    private static final double GIGA = 1e9;

    private PolicyText() {}

    /** A whole policy. */
    static List<String> of(RulePolicy policy) {
        List<String> lines = new ArrayList<>();
        if (!policy.groups().isEmpty()) {
            lines.add("containers");
            policy.groups().forEach(group -> lines.add("  " + group));
        }
        lines.add("connections, by the first line that applies");
        policy.rules().forEach(rule -> lines.add("  " + of(rule)));
        if (!policy.limits().isEmpty()) {
            lines.add("limits of a container, by the first line that applies");
            policy.limits().forEach(limit -> lines.add("  " + of(limit)));
        }
        return lines;
    }

    /** One rule on connections. */
    static String of(RulePolicy.Rule rule) {
        List<String> same = rule.same().isEmpty()
                ? List.of()
                : EnumWords.of(Sameness.class).stream()
                        .filter(word -> rule.same().contains(EnumWords.parse(Sameness.class, word)))
                        .toList();
        return "line " + rule.line() + ": from " + names(rule.from()) + " to " + names(rule.to())
                + (same.isEmpty() ? "" : " of the same " + String.join(" and ", same)) + ": " + path(rule)
                + regions(rule);
    }

    /** The rights to regions, where a rule permits less than all. */
    private static String regions(RulePolicy.Rule rule) {
        int rights = rule.ruling().regions();
        if (!rule.ruling().isPermitted() || rights == RegionMessage.ALL) {
            return "";
        }
        List<String> words = new ArrayList<>();
        if ((rights & RegionMessage.READ) != 0) {
            words.add("read");
        }
        if ((rights & RegionMessage.WRITE) != 0) {
            words.add("write");
        }
        if ((rights & RegionMessage.ATOMIC) != 0) {
            words.add("atomic");
        }
        if ((rights & RegionMessage.CALL) != 0) {
            words.add("call");
        }
        return ", regions " + (words.isEmpty() ? "none" : String.join(", ", words));
    }

    /** The path of a rule. */
    static String path(RulePolicy.Rule rule) {
        return rule.ruling().isPermitted() ? rule.ruling().path().name().toLowerCase(Locale.ROOT) : "kernel";
    }

    /** The limits of some containers. */
    static String of(RulePolicy.LimitRule rule) {
        return "line " + rule.line() + ": of " + names(rule.of()) + ": " + of(rule.limits());
    }

    private static String of(Limits limits) {
        List<String> parts = new ArrayList<>();
        if (limits.connections() != 0) {
            parts.add(limits.connections() + " connections");
        }
        if (limits.memory() != 0) {
            parts.add("memory " + Quantity.ofSize(limits.memory()));
        }
        if (limits.bytesPerSecond() != 0) {
            parts.add(String.format(
                    Locale.ROOT,
                    "%d bytes per second (%.3f Gbit/s)",
                    limits.bytesPerSecond(),
                    limits.bytesPerSecond() * BITS / GIGA));
        }
        parts.add("share " + limits.share());
        return String.join(", ", parts);
    }

    private static String names(List<Group> groups) {
        return groups.isEmpty()
                ? "any"
                : String.join(" or ", groups.stream().map(Group::name).toList());
    }
}
