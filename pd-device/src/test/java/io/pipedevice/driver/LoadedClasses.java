// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Loads classes in advance: a class in a directory cannot be loaded while no descriptor is free, and after a failed
 * load it stays missing.
 */
final class LoadedClasses {
    private LoadedClasses() {}

    /** Loads the classes of a class's module whose file names match, such as {@code io/pipedevice/lib/Link.class}. */
    static void loadAll(Class<?> one, String names) throws IOException {
        try (Stream<Path> files = Files.walk(root(one))) {
            for (Path file : files.toList()) {
                String name = root(one).relativize(file).toString();
                if (name.matches(names)) {
                    Class.forName(
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'));
                }
            }
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }

    private static Path root(Class<?> one) throws IOException {
        try {
            return Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }
}
