// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import io.pipedevice.tool.kube.YamlNode.Collection;
import io.pipedevice.tool.kube.YamlNode.Mapping;
import io.pipedevice.tool.kube.YamlNode.Scalar;
import io.pipedevice.tool.kube.YamlNode.Sequence;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;

/**
 * Adds to, and removes from, the mappings and lists of a text, each in the style that it has. Nothing else of the text
 * changes. Of two changes at the end of one line, that of the inner node has to be made first.
 */
final class YamlEditor {
    private final String file;
    private final YamlText text;
    private final TextEdits edits;

    YamlEditor(String file, YamlText text) {
        this.file = file;
        this.text = text;
        this.edits = new TextEdits(text);
    }

    boolean hasChanges() {
        return !edits.isEmpty();
    }

    String result() {
        return edits.apply();
    }

    /** Adds an entry behind the others. */
    void addEntry(Mapping mapping, String key, Object value) throws KubeException {
        if (mapping.isFlow) {
            addToFlow(mapping, YamlWriter.quoted(key) + ": " + YamlWriter.flow(value));
        } else {
            addLines(mapping, YamlWriter.entry(key, value));
        }
    }

    /**
     * Adds items to the lists of a mapping, which may be missing or null.
     *
     * @param items to add, by the keys of the lists
     * @param first the keys of lists to whose beginning they are added
     */
    void addItems(Mapping mapping, Map<String, List<Object>> items, Set<String> first) throws KubeException {
        // The end of the last list may be that of the mapping.
        for (boolean isNew : new boolean[] {false, true}) {
            for (Map.Entry<String, List<Object>> each : items.entrySet()) {
                if (isNew == (mapping.get(each.getKey()) == null)) {
                    addItems(mapping, each.getKey(), each.getValue(), first.contains(each.getKey()));
                }
            }
        }
    }

    private void addItems(Mapping mapping, String key, List<Object> items, boolean isFirst) throws KubeException {
        YamlNode node = mapping.get(key);
        if (node == null) {
            addEntry(mapping, key, items);
        } else if (node instanceof Scalar scalar) {
            write(scalar, scalar.start, YamlWriter.flow(items));
        } else if (node instanceof Sequence list && list.isFlow) {
            String added = YamlWriter.flow(items);
            added = added.substring(1, added.length() - 1);
            if (isFirst && !list.items.isEmpty()) {
                edits.insert(text.skipProperties(list.start) + 1, added + ", ");
            } else {
                addToFlow(list, added);
            }
        } else if (node instanceof Sequence list) {
            for (Object each : items) {
                if (isFirst) {
                    int hyphen = first(list);
                    edits.insert(text.lineStart(hyphen), lines(text.column(hyphen), YamlWriter.item(each)));
                } else {
                    addLines(list, YamlWriter.item(each));
                }
            }
        }
    }

    private void addToFlow(Collection node, String added) {
        if (node.last() == null) {
            edits.insert(text.skipProperties(node.start) + 1, added);
        } else {
            edits.insert(node.last().end(), ", " + added);
        }
    }

    private void addLines(Collection node, List<String> added) throws KubeException {
        int place = text.nextLine(node.end());
        String lines = lines(text.column(first(node)), added);
        if (!text.isInLine(place)) {
            edits.insert(place, lines);
            return;
        }
        Scalar last = node.lastScalar();
        if (last != null && last.isBlock()) {
            throw new KubeException(
                    file, last.line, "the text that begins here has no end of line, which has to be added first");
        }
        edits.insert(
                place,
                text.newline()
                        + lines.substring(0, lines.length() - text.newline().length()));
    }

    private String lines(int indent, List<String> added) {
        StringBuilder result = new StringBuilder();
        for (String each : added) {
            result.append(" ".repeat(indent)).append(each).append(text.newline());
        }
        return result.toString();
    }

    /** The first hyphen of a list, or key of a mapping, in block style. */
    private int first(Collection node) throws KubeException {
        int place = text.skipProperties(node.start);
        boolean isMapping = node instanceof Mapping;
        if (isMapping ? text.isAt(place, '?') : !text.isAt(place, '-') || !text.isFirstInLine(place)) {
            throw new KubeException(
                    file,
                    node.line,
                    isMapping
                            ? "a key that begins with ? cannot be changed; write KEY: VALUE"
                            : "a list in the line of another list cannot be changed; begin a line with each hyphen");
        }
        return place;
    }

    /** Replaces a text. */
    void replace(Scalar scalar, String value) {
        int from = scalar.isNull() ? scalar.start : Math.min(text.skipProperties(scalar.start), scalar.end());
        String old = text.slice(from, scalar.end());
        boolean isSimple = old.indexOf('\n') < 0 && !old.isEmpty();
        if (isSimple && scalar.isPlain() && old.equals(scalar.value) && isPlain(old, value)) {
            edits.replace(from, scalar.end(), value);
        } else if (isSimple && old.equals("'" + scalar.value + "'") && isPrintable(value)) {
            edits.replace(from, scalar.end(), "'" + value + "'");
        } else {
            write(scalar, from, YamlWriter.quoted(value));
        }
    }

    /** Writes a value in place of a scalar from a place on, with a space if that is the colon. */
    private void write(Scalar scalar, int from, String value) {
        // A block scalar ends behind the end of its last line.
        boolean isBlock = scalar.isBlock() && !text.isInLine(scalar.end());
        String space = text.isAt(from - 1, ':') ? " " : "";
        edits.replace(from, scalar.end(), space + value + (isBlock ? text.newline() : ""));
    }

    /** Whether one text that continues another is a plain scalar if the other one is: an option, no number or word. */
    private static boolean isPlain(String old, String value) {
        return value.matches("-[A-Za-z].*[^: ]") && (value.startsWith(old) || old.startsWith(value));
    }

    private static boolean isPrintable(String value) {
        return value.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '\'');
    }

    /** Removes some items of a list, but not all. */
    void removeItems(Sequence list, SortedSet<Integer> indexes) throws KubeException {
        if (list.isFlow) {
            removeFromFlow(list.items, list.items, indexes);
            return;
        }
        int end = first(list);
        for (int i = 0; i < list.items.size(); i++) {
            int hyphen = text.skipBlank(end);
            end = list.items.get(i).end();
            if (indexes.contains(i)) {
                removeLines(hyphen, end);
            }
        }
    }

    /** Removes some entries of a mapping, but not all. */
    void removeEntries(Mapping mapping, SortedSet<Integer> indexes) throws KubeException {
        List<YamlNode> keys = mapping.entries.stream().map(Mapping.Entry::key).toList();
        List<YamlNode> values =
                mapping.entries.stream().map(Mapping.Entry::value).toList();
        if (mapping.isFlow) {
            removeFromFlow(keys, values, indexes);
            return;
        }
        int kept = 0;
        if (!text.isFirstInLine(first(mapping))) {
            // The first key stands behind the hyphen of a list, where the next one takes its place.
            while (indexes.contains(kept)) {
                kept++;
            }
            edits.delete(keys.get(0).start, keys.get(kept).start);
        }
        for (int each : indexes.tailSet(kept)) {
            removeLines(keys.get(each).start, values.get(each).end());
        }
    }

    private void removeLines(int start, int end) {
        edits.delete(text.lineStart(start), text.nextLine(end));
    }

    /** Removes parts of a collection in flow style, each with a comma. */
    private void removeFromFlow(List<YamlNode> starts, List<YamlNode> ends, SortedSet<Integer> indexes) {
        int kept = 0;
        while (indexes.contains(kept)) {
            kept++;
        }
        if (kept > 0) {
            edits.delete(starts.get(0).start, starts.get(kept).start);
        }
        for (int each : indexes.tailSet(kept)) {
            edits.delete(ends.get(each - 1).end(), ends.get(each).end());
        }
    }
}
