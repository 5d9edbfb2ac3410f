// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy.file;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.driver.policy.Group;
import io.pipedevice.driver.policy.Limits;
import io.pipedevice.driver.policy.RulePolicy;
import io.pipedevice.driver.policy.Ruling;
import io.pipedevice.driver.policy.Sameness;
import io.pipedevice.property.EnumWords;
import io.pipedevice.property.Quantity;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.Node;

/** Makes a policy of the text of a file. */
final class PolicyReader {
    /** Stands for all containers where the name of a group may stand. */
    static final String ANY = "any";

    private static final List<String> KEYS = List.of("containers", "rules", "default", "limits");
    private static final List<String> OF_RULE = List.of("from", "to", "same", "path", "regions");
    private static final List<String> OF_LIMIT = List.of("of", "connections", "memory", "rate", "share");
    private static final String NAMES = "letters, digits, hyphens, dots and underscores";
    private static final int MOST_CONNECTIONS = 65_535;
    private static final int MOST_SHARE = 100;

    /** Enough for a region of rings, and the pages, as the driver's option. */
    private static final long LEAST_MEMORY = 4L << 20;

    private static final long MOST = 1L << 46;

    /** What the value of {@code path} may be. */
    private enum Path {
        DIRECT,
        DEVICE,
        KERNEL
    }

    /** What a word of {@code regions} may be. */
    private enum RegionRight {
        READ(RegionMessage.READ),
        WRITE(RegionMessage.WRITE),
        ATOMIC(RegionMessage.ATOMIC),
        CALL(RegionMessage.CALL),
        NONE(0);

        final int bit;

        RegionRight(int bit) {
            this.bit = bit;
        }
    }

    private final String file;
    private final Map<String, Group> groups = new LinkedHashMap<>();

    private PolicyReader(String file) {
        this.file = file;
    }

    /**
     * Reads a policy.
     *
     * @param file for messages
     * @param text of the file
     * @throws PolicyException what is wrong, and where
     */
    static RulePolicy read(String file, String text) throws PolicyException {
        return new PolicyReader(file).read(text);
    }

    private RulePolicy read(String text) throws PolicyException {
        Section top = new Section(file, "the policy", YamlText.read(file, text), KEYS);
        if (top.get("default") == null) {
            throw new PolicyException(
                    file,
                    top.line(),
                    "default is missing: the path of connections to which no rule applies; allowed: "
                            + String.join(", ", EnumWords.of(Path.class)));
        }
        readGroups(top);
        List<RulePolicy.Rule> rules = new ArrayList<>();
        for (Node each : top.list("rules")) {
            rules.add(rule(new Section(file, "a rule", each, OF_RULE)));
        }
        int line = top.line("default");
        RulePolicy.Rule otherwise = new RulePolicy.Rule(
                line, List.of(), List.of(), Set.of(), ruling(path(top, "default"), RegionMessage.ALL, line));
        List<RulePolicy.LimitRule> limits = new ArrayList<>();
        for (Node each : top.list("limits")) {
            limits.add(limit(new Section(file, "a limit", each, OF_LIMIT)));
        }
        return new RulePolicy(List.copyOf(groups.values()), rules, otherwise, limits);
    }

    private void readGroups(Section top) throws PolicyException {
        if (top.get("containers") == null) {
            return;
        }
        Section all = new Section(file, "containers", top.get("containers"), null);
        for (String name : all.keys()) {
            if (name.equals(ANY) || !name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
                throw new PolicyException(
                        file,
                        all.line(name),
                        "containers cannot be named " + name + "; allowed: " + NAMES + ", but not " + ANY);
            }
            groups.put(name, new GroupReader(file, name, all.get(name)).read());
        }
    }

    private RulePolicy.Rule rule(Section rule) throws PolicyException {
        if (rule.get("path") == null) {
            throw rule.problem("path", "is missing; allowed: " + String.join(", ", EnumWords.of(Path.class)));
        }
        Set<Sameness> same = EnumSet.noneOf(Sameness.class);
        for (String word : rule.words("same")) {
            Sameness part = EnumWords.parse(Sameness.class, word);
            if (part == null) {
                throw rule.refused("same", word, String.join(", ", EnumWords.of(Sameness.class)));
            }
            same.add(part);
        }
        Ruling ruling = ruling(path(rule, "path"), regions(rule), rule.line());
        return new RulePolicy.Rule(rule.line(), groups(rule, "from"), groups(rule, "to"), same, ruling);
    }

    /** The rights to regions that a rule lets the client have; all if it says nothing. */
    private static int regions(Section rule) throws PolicyException {
        if (rule.get("regions") == null) {
            return RegionMessage.ALL;
        }
        int bits = 0;
        for (String word : rule.words("regions")) {
            RegionRight right = EnumWords.parse(RegionRight.class, word);
            if (right == null) {
                throw rule.refused("regions", word, String.join(", ", EnumWords.of(RegionRight.class)));
            }
            bits |= right.bit;
        }
        return bits;
    }

    private static Path path(Section section, String key) throws PolicyException {
        String word = section.word(key);
        Path path = EnumWords.parse(Path.class, word);
        if (path == null) {
            throw section.refused(key, word, String.join(", ", EnumWords.of(Path.class)));
        }
        return path;
    }

    private static Ruling ruling(Path path, int regions, int line) {
        return switch (path) {
            case DIRECT -> Ruling.permit(DataPath.DIRECT, regions);
            case DEVICE -> Ruling.permit(DataPath.DEVICE, regions);
            case KERNEL -> Ruling.refuse("the driver's policy keeps it on the kernel, line " + line);
        };
    }

    /** The groups that a key names; none for all containers. */
    private List<Group> groups(Section section, String key) throws PolicyException {
        List<Group> named = new ArrayList<>();
        List<String> words = section.words(key);
        for (String word : words) {
            if (word.equals(ANY)) {
                if (words.size() > 1) {
                    throw section.problem(key, "has other names beside " + ANY + ", which stands for all");
                }
                return List.of();
            }
            Group group = groups.get(word);
            if (group == null) {
                throw section.refused(
                        key, word, groups.isEmpty() ? ANY : ANY + ", " + String.join(", ", groups.keySet()));
            }
            named.add(group);
        }
        return named;
    }

    private RulePolicy.LimitRule limit(Section limit) throws PolicyException {
        if (limit.get("of") == null) {
            throw limit.problem("of", "is missing: the containers, each of which gets these limits");
        }
        List<Group> of = groups(limit, "of");
        for (Group each : of) {
            if (each.hasAddresses()) {
                throw limit.problem(
                        "of",
                        "names " + each.name()
                                + ", which depends on the address of a connection; limits are a container's");
            }
        }
        return new RulePolicy.LimitRule(
                limit.line(),
                of,
                new Limits(
                        (int) number(limit, "connections", 0, 1, MOST_CONNECTIONS),
                        number(limit, "memory", 0, LEAST_MEMORY, MOST),
                        rate(limit),
                        (int) number(limit, "share", 1, 1, MOST_SHARE)));
    }

    private static long number(Section limit, String key, long otherwise, long least, long most)
            throws PolicyException {
        String word = limit.word(key);
        if (word == null) {
            return otherwise;
        }
        try {
            long value = Quantity.size(word);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw outOfRange(limit, key, word, least, most);
        }
        throw outOfRange(limit, key, word, least, most);
    }

    private static PolicyException outOfRange(Section limit, String key, String word, long least, long most) {
        return limit.refused(key, word, Quantity.ofSize(least) + " to " + Quantity.ofSize(most));
    }

    private static long rate(Section limit) throws PolicyException {
        String word = limit.word("rate");
        if (word == null) {
            return 0;
        }
        long rate = Rate.parse(word);
        if (rate < 1 || rate > MOST) {
            throw limit.refused("rate", word, Rate.ALLOWED);
        }
        return rate;
    }
}
