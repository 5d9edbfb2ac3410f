// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import io.pipedevice.property.EnumWords;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads an option whose value is one of a few words, in the same way as its property, and lists the words.
 *
 * @param <E> the words
 */
abstract class ChoiceConverter<E extends Enum<E>> implements ITypeConverter<E>, Iterable<String> {
    private final Class<E> type;

    ChoiceConverter(Class<E> type) {
        this.type = type;
    }

    @Override
    public E convert(String text) {
        E value = EnumWords.parse(type, text);
        if (value == null) {
            throw new TypeConversionException("'" + text + "' is not one of " + String.join(", ", EnumWords.of(type)));
        }
        return value;
    }

    @Override
    public Iterator<String> iterator() {
        return EnumWords.of(type).iterator();
    }
}
