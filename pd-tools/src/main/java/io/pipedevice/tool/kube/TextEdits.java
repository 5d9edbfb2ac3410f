// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Changes of a text, each at a place of the text as it was. What no change touches stays as it is. */
final class TextEdits {
    private record Edit(int from, int to, String text) {}

    private final YamlText text;
    private final List<Edit> edits = new ArrayList<>();

    TextEdits(YamlText text) {
        this.text = text;
    }

    /** Inserts; what is inserted first at a place stands first. */
    void insert(int place, String added) {
        edits.add(new Edit(place, place, added));
    }

    void delete(int from, int to) {
        edits.add(new Edit(from, to, ""));
    }

    void replace(int from, int to, String added) {
        edits.add(new Edit(from, to, added));
    }

    boolean isEmpty() {
        return edits.isEmpty();
    }

    /** The text with all changes. */
    String apply() {
        List<Edit> sorted = new ArrayList<>(edits);
        sorted.sort(Comparator.comparingInt(Edit::from));
        StringBuilder result = new StringBuilder();
        int done = 0;
        for (Edit each : sorted) {
            if (each.from < done) {
                throw new IllegalStateException("two changes of one place: " + each);
            }
            result.append(text.slice(done, each.from)).append(each.text);
            done = each.to;
        }
        return result.append(text.slice(done, text.length())).toString();
    }
}
