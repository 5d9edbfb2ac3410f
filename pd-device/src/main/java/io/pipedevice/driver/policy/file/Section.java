// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy.file;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** A mapping of a policy's file, whose keys are words. Its methods complain with the file and the line. */
final class Section {
    /** Most words of a list, so that a file with aliases cannot become much longer than it is. */
    private static final int MOST_WORDS = 10_000;

    private final String file;
    private final String what;
    private final int line;
    private final Map<String, Node> values = new LinkedHashMap<>();

    /**
     * Reads a mapping.
     *
     * @param what it is, for messages, such as "a rule"
     * @param allowed its keys; null for any
     */
    Section(String file, String what, Node node, List<String> allowed) throws PolicyException {
        this.file = file;
        this.what = what;
        this.line = YamlText.line(node);
        if (!(node instanceof MappingNode mapping)) {
            throw new PolicyException(
                    file,
                    line,
                    what + " is a mapping: lines of KEY: VALUE"
                            + (allowed == null ? "" : ", with the keys " + String.join(", ", allowed)));
        }
        for (NodeTuple each : mapping.getValue()) {
            Node key = each.getKeyNode();
            String word = key instanceof ScalarNode scalar ? scalar.getValue() : "?";
            if (allowed != null && !allowed.contains(word)) {
                throw new PolicyException(
                        file,
                        YamlText.line(key),
                        "unknown key " + word + " in " + what + "; allowed: " + String.join(", ", allowed));
            }
            if (values.put(word, each.getValueNode()) != null) {
                throw new PolicyException(file, YamlText.line(key), word + " stands twice in " + what);
            }
        }
    }

    int line() {
        return line;
    }

    Iterable<String> keys() {
        return values.keySet();
    }

    Node get(String key) {
        return values.get(key);
    }

    /** The line of a value; of the section if it is missing. */
    int line(String key) {
        return values.containsKey(key) ? YamlText.line(values.get(key)) : line;
    }

    /** The elements of a list; none if the key is missing. */
    List<Node> list(String key) throws PolicyException {
        Node value = values.get(key);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof SequenceNode sequence)) {
            throw problem(key, "is a list: lines that begin with a hyphen");
        }
        return sequence.getValue();
    }

    /** One word; null if the key is missing. */
    String word(String key) throws PolicyException {
        Node value = values.get(key);
        if (value == null) {
            return null;
        }
        if (value instanceof ScalarNode scalar && !scalar.getValue().isEmpty()) {
            return scalar.getValue();
        }
        throw problem(key, "is one word");
    }

    /** One word or a list of words; none if the key is missing. */
    List<String> words(String key) throws PolicyException {
        Node value = values.get(key);
        if (!(value instanceof SequenceNode)) {
            String word = word(key);
            return word == null ? List.of() : List.of(word);
        }
        List<String> words = new ArrayList<>();
        for (Node each : list(key)) {
            if (!(each instanceof ScalarNode scalar) || scalar.getValue().isEmpty()) {
                throw problem(key, "is one word or a list of words");
            }
            words.add(scalar.getValue());
        }
        if (words.isEmpty() || words.size() > MOST_WORDS) {
            throw problem(key, "is a list of 1 to " + MOST_WORDS + " words");
        }
        return words;
    }

    /** A problem with the value of a key. */
    PolicyException problem(String key, String problem) {
        return new PolicyException(file, line(key), key + " of " + what + " " + problem);
    }

    /** A value that is not allowed. */
    PolicyException refused(String key, String value, String allowed) {
        return new PolicyException(file, line(key), key + " of " + what + ": " + value + "; allowed: " + allowed);
    }
}
