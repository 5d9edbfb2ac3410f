// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.property.SystemProperty;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * What the user decides about the provider, by system properties.
 *
 * <table>
 * <caption>Properties</caption>
 * <tr><th>Property</th><th>Default</th><th>Allowed</th></tr>
 * <tr><td>{@value #ENABLED_PROPERTY}</td><td>auto: unless the machine has one processor</td><td>auto, true, false</td></tr>
 * <tr><td>{@value #DRIVER_PROPERTY}</td><td>none</td><td>the directory of a driver, running now or later</td></tr>
 * </table>
 *
 * @param use where connections are accelerated at all
 * @param driver the directory of a driver process; null for rings without a driver (peer placement)
 */
record Settings(Use use, Path driver) {
    /** Values of {@link #ENABLED_PROPERTY}. */
    enum Use {
        /** auto: nowhere that TCP would serve the program better. */
        WHERE_IT_PAYS,
        /** true. */
        ALWAYS,
        /** false: every connection is left to the JDK. */
        NEVER
    }

    /** Property: whether PipeDevice is used at all. */
    static final String ENABLED_PROPERTY = "pipedevice.enabled";

    /** Property: the directory of the driver to attach to. */
    static final String DRIVER_PROPERTY = "pipedevice.driver";

    /**
     * Reads the system properties.
     *
     * @throws IllegalArgumentException if a value is not allowed; the message names the property and what is
     */
    static Settings read() {
        Use use = readUse();
        return new Settings(use, use == Use.NEVER ? null : directory(DRIVER_PROPERTY));
    }

    private static Use readUse() {
        String value = System.getProperty(ENABLED_PROPERTY, "auto");
        return switch (value) {
            case "auto" -> Use.WHERE_IT_PAYS;
            case "true" -> Use.ALWAYS;
            case "false" -> Use.NEVER;
            default -> throw SystemProperty.refused(ENABLED_PROPERTY, value, "auto, true and false");
        };
    }

    private static Path directory(String property) {
        String value = System.getProperty(property);
        if (value == null) {
            return null;
        }
        String allowed = "a driver's directory";
        try {
            Path path = Path.of(value);
            if (value.isEmpty() || (Files.exists(path) && !Files.isDirectory(path))) {
                throw SystemProperty.refused(property, value, allowed);
            }
            return path;
        } catch (InvalidPathException e) {
            throw SystemProperty.refused(property, value, allowed, e);
        }
    }
}
