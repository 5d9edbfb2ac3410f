// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Where things are in the project that this class was built from. */
final class Project {
    private Project() {}

    /** The project's directory: the one above the module whose build this class comes from, or the current one. */
    static Path root() {
        Path classes = classPathOf(Project.class);
        for (Path at = classes; at != null; at = at.getParent()) {
            if (at.endsWith("benchmarks/target")) {
                return at.getParent().getParent();
            }
        }
        return Path.of("");
    }

    /** The jar or directory that a class was loaded from. */
    static Path classPathOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a class that comes from no file: " + type, e);
        }
    }
}
