// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.property;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Converts the values of an enumeration to and from the form that users write: lower case, with hyphens. */
public final class EnumWords {
    private EnumWords() {}

    /**
     * All words of an enumeration.
     *
     * @param type the enumeration
     * @return in its order
     */
    public static List<String> of(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(value -> value.name().replace('_', '-').toLowerCase(Locale.ROOT))
                .toList();
    }

    /**
     * Reads a word. Upper case and underscores, as in Java, are accepted too.
     *
     * @param type the enumeration
     * @param text as the user wrote it
     * @return the value, or null if it is none
     * @param <E> the enumeration
     */
    public static <E extends Enum<E>> E parse(Class<E> type, String text) {
        int place = of(type).indexOf(text.replace('_', '-').toLowerCase(Locale.ROOT));
        return place < 0 ? null : type.getEnumConstants()[place];
    }
}
