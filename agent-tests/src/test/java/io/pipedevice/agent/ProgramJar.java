// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Makes the jar of a program, which {@code java -jar} starts, or of an agent. */
final class ProgramJar {
    private ProgramJar() {}

    /** The name of a class's entry. */
    static String code(Class<?> type) {
        return type.getName().replace('.', '/') + ".class";
    }

    /**
     * Writes the jar of a program.
     *
     * @param entries classes, by the names of their entries
     * @return the file
     */
    static Path write(Path file, Class<?> main, Map<String, Class<?>> entries) throws IOException {
        return write(file, Map.of("Main-Class", main.getName()), entries);
    }

    /** Writes the jar of an agent of one class, which may transform loaded classes. */
    static Path writeAgent(Path file, Class<?> agent) throws IOException {
        Map<String, String> attributes =
                Map.of("Premain-Class", agent.getName(), "Can-Retransform-Classes", Boolean.toString(true));
        return write(file, attributes, Map.of(code(agent), agent));
    }

    private static Path write(Path file, Map<String, String> attributes, Map<String, Class<?>> entries)
            throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.forEach(manifest.getMainAttributes()::putValue);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            for (Map.Entry<String, Class<?>> entry : entries.entrySet()) {
                out.putNextEntry(new JarEntry(entry.getKey()));
                try (InputStream in = ProgramJar.class.getClassLoader().getResourceAsStream(code(entry.getValue()))) {
                    in.transferTo(out);
                }
            }
        }
        return file;
    }
}
