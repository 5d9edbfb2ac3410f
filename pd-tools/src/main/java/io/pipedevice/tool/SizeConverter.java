// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import io.pipedevice.property.Quantity;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an option's number of bytes: digits, and k, m or g for the powers of 1024. */
public final class SizeConverter implements ITypeConverter<Long> {
    /** Creates a converter; called by picocli. */
    public SizeConverter() {}

    /**
     * Reads a size.
     *
     * @param value such as {@code 64}, {@code 4k} or {@code 1G}
     * @return in bytes, not negative
     * @throws TypeConversionException if it is anything else
     */
    @Override
    public Long convert(String value) {
        try {
            long size = Quantity.size(value);
            if (size >= 0) {
                return size;
            }
        } catch (NumberFormatException e) {
            throw refused(value);
        }
        throw refused(value);
    }

    private static TypeConversionException refused(String value) {
        return new TypeConversionException("'" + value + "' is not a size; write it as 64, 4k, 1m or 2g");
    }
}
