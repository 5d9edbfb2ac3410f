// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

import io.pipedevice.driver.identity.Identity;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A list of rules, the first of which that applies to a connection decides; and limits, of which the first that apply
 * to a container are its own. Belongs to the thread that asks first, the driver's, because it remembers the groups of
 * processes.
 */
public final class RulePolicy implements Policy {
    /**
     * A rule on connections.
     *
     * @param line of the policy's file in which it begins, from 1
     * @param from groups of the client, of which it belongs to at least one; empty for all processes
     * @param to groups of the server, likewise
     * @param same the properties that both must have in common
     * @param ruling of the connections to which the rule applies
     */
    public record Rule(int line, List<Group> from, List<Group> to, Set<Sameness> same, Ruling ruling) {}

    /**
     * The limits of some containers, each of which has them for itself.
     *
     * @param line of the policy's file in which they begin, from 1
     * @param of groups, of which a container belongs to at least one; empty for all
     * @param limits of each
     */
    public record LimitRule(int line, List<Group> of, Limits limits) {}

    private final List<Group> groups;
    private final List<Rule> rules;
    private final Rule otherwise;
    private final List<LimitRule> limits;

    /** The groups of a process, whatever its addresses are. */
    private final Map<Identity, Set<Group>> members = new WeakHashMap<>();

    /**
     * Creates a policy.
     *
     * @param groups of all rules
     * @param rules the first that applies decides
     * @param otherwise if no rule applies
     * @param limits the first that apply are a container's; their groups have no addresses
     */
    public RulePolicy(List<Group> groups, List<Rule> rules, Rule otherwise, List<LimitRule> limits) {
        this.groups = List.copyOf(groups);
        this.rules = List.copyOf(rules);
        this.otherwise = otherwise;
        this.limits = List.copyOf(limits);
    }

    @Override
    public Ruling rule(Party client, Party server) {
        return deciding(client, server).ruling();
    }

    /**
     * The rule that decides on connections.
     *
     * @param client the end that connects
     * @param server the end that listens
     * @return the first that applies, or the one for all others
     */
    public Rule deciding(Party client, Party server) {
        for (int i = 0; i < rules.size(); i++) {
            Rule rule = rules.get(i);
            if (isIn(rule.from(), client)
                    && isIn(rule.to(), server)
                    && isSame(rule.same(), client.identity(), server.identity())) {
                return rule;
            }
        }
        return otherwise;
    }

    private static boolean isSame(Set<Sameness> parts, Identity one, Identity other) {
        for (Sameness each : parts) {
            if (!each.isSame(one, other)) {
                return false;
            }
        }
        return true;
    }

    private boolean isIn(List<Group> any, Party end) {
        if (any.isEmpty()) {
            return true;
        }
        Set<Group> own = members.computeIfAbsent(end.identity(), this::groupsOf);
        for (int i = 0; i < any.size(); i++) {
            Group group = any.get(i);
            if (own.contains(group) && group.matchesAddress(end)) {
                return true;
            }
        }
        return false;
    }

    private Set<Group> groupsOf(Identity process) {
        return groups.stream().filter(each -> each.matches(process)).collect(Collectors.toSet());
    }

    @Override
    public int size() {
        return rules.size();
    }

    @Override
    public Limits limits(Identity process) {
        LimitRule deciding = decidingLimits(process);
        return deciding == null ? Limits.NONE : deciding.limits();
    }

    /**
     * The limits of the container of a process.
     *
     * @param process any
     * @return the first that apply, or null if none do
     */
    public LimitRule decidingLimits(Identity process) {
        Party alone = new Party(process, null);
        for (LimitRule each : limits) {
            if (isIn(each.of(), alone)) {
                return each;
            }
        }
        return null;
    }

    /**
     * The groups to which a process belongs.
     *
     * @param process any
     * @return in the order of the policy
     */
    public List<Group> groups(Identity process) {
        Party alone = new Party(process, null);
        return groups.stream().filter(each -> isIn(List.of(each), alone)).toList();
    }

    /**
     * All groups.
     *
     * @return in the order of the policy
     */
    public List<Group> groups() {
        return groups;
    }

    /**
     * All rules.
     *
     * @return in the order of the policy, and the one for all other connections
     */
    public List<Rule> rules() {
        return Stream.concat(rules.stream(), Stream.of(otherwise)).toList();
    }

    /**
     * All limits.
     *
     * @return in the order of the policy
     */
    public List<LimitRule> limits() {
        return limits;
    }
}
