// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.common.ScalarStyle;

/**
 * A value of a document, with its place in the text. Places count code points from 0, lines count from 1.
 *
 * <p>An alias is a node of its own, so that nothing is expanded.
 */
abstract sealed class YamlNode {
    /** Where the node begins, with its anchor and its tag. */
    final int start;

    final int line;

    /** Its explicit tag; null if there is none. */
    final String tag;

    /** Whether an alias stands for this node, too. */
    private boolean isShared;

    private YamlNode(int start, int line, String tag) {
        this.start = start;
        this.line = line;
        this.tag = tag;
    }

    /** The end of the last character of this node, or the beginning of the line behind a block scalar. */
    abstract int end();

    /** The scalar that ends this node; null if a bracket does. */
    abstract Scalar lastScalar();

    boolean isShared() {
        return isShared;
    }

    /** A value with a text. */
    static final class Scalar extends YamlNode {
        final String value;
        final ScalarStyle style;
        private final int end;

        Scalar(int start, int end, int line, String tag, String value, ScalarStyle style) {
            super(start, line, tag);
            this.end = end;
            this.value = value;
            this.style = style;
        }

        @Override
        int end() {
            return end;
        }

        @Override
        Scalar lastScalar() {
            return this;
        }

        boolean isPlain() {
            return style == ScalarStyle.PLAIN;
        }

        boolean isBlock() {
            return style == ScalarStyle.LITERAL || style == ScalarStyle.FOLDED;
        }

        boolean isNull() {
            return tag == null ? isPlain() && value.matches("|~|null|Null|NULL") : tag.endsWith(":null");
        }
    }

    /** Stands for a node that was defined before. */
    static final class Alias extends YamlNode {
        final YamlNode target;
        private final int end;

        Alias(int start, int end, int line, YamlNode target) {
            super(start, line, null);
            this.end = end;
            this.target = target;
            target.isShared = true;
        }

        @Override
        int end() {
            return end;
        }

        @Override
        Scalar lastScalar() {
            return null;
        }
    }

    /** A list or a mapping. */
    abstract static sealed class Collection extends YamlNode {
        final boolean isFlow;

        /** Of the closing bracket; -1 while it was not read, and of block style. */
        private int closed = -1;

        private Collection(int start, int line, String tag, boolean isFlow) {
            super(start, line, tag);
            this.isFlow = isFlow;
        }

        abstract YamlNode last();

        abstract void add(YamlNode node);

        void close(int end) {
            closed = end;
        }

        @Override
        int end() {
            return isFlow ? closed : last().end();
        }

        @Override
        Scalar lastScalar() {
            return isFlow ? null : last().lastScalar();
        }
    }

    /** A list. */
    static final class Sequence extends Collection {
        final List<YamlNode> items = new ArrayList<>();

        Sequence(int start, int line, String tag, boolean isFlow) {
            super(start, line, tag, isFlow);
        }

        @Override
        YamlNode last() {
            return items.isEmpty() ? null : items.get(items.size() - 1);
        }

        @Override
        void add(YamlNode node) {
            items.add(node);
        }
    }

    /** Keys with values. */
    static final class Mapping extends Collection {
        /** A key with its value. */
        record Entry(YamlNode key, YamlNode value) {}

        final List<Entry> entries = new ArrayList<>();
        private YamlNode key;

        Mapping(int start, int line, String tag, boolean isFlow) {
            super(start, line, tag, isFlow);
        }

        @Override
        YamlNode last() {
            return entries.isEmpty() ? null : entries.get(entries.size() - 1).value;
        }

        @Override
        void add(YamlNode node) {
            if (key == null) {
                key = node;
            } else {
                entries.add(new Entry(key, node));
                key = null;
            }
        }

        /** The number of the entry with a key; -1 if there is none. */
        int indexOf(String name) {
            for (int i = 0; i < entries.size(); i++) {
                if (entries.get(i).key instanceof Scalar scalar && scalar.value.equals(name)) {
                    return i;
                }
            }
            return -1;
        }

        YamlNode get(String name) {
            int index = indexOf(name);
            return index < 0 ? null : entries.get(index).value;
        }

        /** The text of a value that is a scalar, or an alias of one; else null. */
        String text(String name) {
            YamlNode node = get(name);
            if (node instanceof Alias alias) {
                node = alias.target;
            }
            return node instanceof Scalar scalar && !scalar.isNull() ? scalar.value : null;
        }
    }
}
