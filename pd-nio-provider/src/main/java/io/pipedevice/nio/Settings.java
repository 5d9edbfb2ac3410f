// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * What the user decides about the provider, by system properties.
 *
 * <table>
 * <caption>Properties</caption>
 * <tr><th>Property</th><th>Default</th><th>Allowed</th></tr>
 * <tr><td>{@value #ENABLED_PROPERTY}</td><td>true</td><td>true, false</td></tr>
 * <tr><td>{@value #DRIVER_PROPERTY}</td><td>none</td><td>the directory of a driver, running now or later</td></tr>
 * </table>
 *
 * @param enabled false to leave every connection to the JDK
 * @param driver the directory of a driver process; null for rings without a driver (peer placement)
 */
record Settings(boolean enabled, Path driver) {
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
        boolean enabled = flag(ENABLED_PROPERTY, true);
        return new Settings(enabled, enabled ? directory(DRIVER_PROPERTY) : null);
    }

    private static boolean flag(String property, boolean otherwise) {
        String value = System.getProperty(property);
        if (value == null) {
            return otherwise;
        }
        if (!value.equals("true") && !value.equals("false")) {
            throw refused(property, value, "true and false", null);
        }
        return value.equals("true");
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
                throw refused(property, value, allowed, null);
            }
            return path;
        } catch (InvalidPathException e) {
            throw refused(property, value, allowed, e);
        }
    }

    private static IllegalArgumentException refused(String property, String value, String allowed, Throwable cause) {
        return new IllegalArgumentException(property + " = " + value + "; allowed: " + allowed, cause);
    }
}
