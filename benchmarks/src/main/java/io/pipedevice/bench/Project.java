// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Paths in the project from which this class was built. */
public final class Project {
    private Project() {}

    /**
     * The project's directory.
     *
     * @return the directory above the module from whose build this class comes, or the current directory
     */
    public static Path root() {
        Path classes = classPathOf(Project.class);
        for (Path at = classes; at != null; at = at.getParent()) {
            if (at.endsWith("benchmarks/target")) {
                return at.getParent().getParent();
            }
        }
        return Path.of("");
    }

    /**
     * The jar or directory from which a class was loaded.
     *
     * @param type the class
     * @return the path
     */
    public static Path classPathOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a class that was not loaded from a file: " + type, e);
        }
    }

    /**
     * The jar that programs load.
     *
     * @return the path
     * @throws IOException if it has not been built
     */
    public static Path userJar() throws IOException {
        Path jar = root().resolve("pd-nio-provider/target/pipedevice-agent.jar");
        if (!Files.isRegularFile(jar)) {
            throw new IOException(jar + " is missing: build it with 'mvn package'");
        }
        return jar;
    }
}
