// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program for a JVM of its own, without any option that it would not have without PipeDevice.
 *
 * @param name for messages
 * @param words what follows the JVM's options
 */
record JavaCommand(String name, List<String> words) {
    /** A program of this module, with the libraries that it uses and nothing else on its class path. */
    static JavaCommand program(String name, Library library, String... arguments) {
        List<String> words = new ArrayList<>();
        words.add("-cp");
        words.add(library.classPath(Path.of("target", "classes").toAbsolutePath()));
        words.add("io.pipedevice.compat.programs." + name);
        words.addAll(List.of(arguments));
        return new JavaCommand(name, words);
    }

    /** A program that comes with the JDK. */
    static JavaCommand module(String module, String... arguments) {
        List<String> words = new ArrayList<>(List.of("-m", module));
        words.addAll(List.of(arguments));
        return new JavaCommand(module, words);
    }

    List<String> line(List<String> options) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(options);
        line.addAll(words);
        return line;
    }

    /** Libraries, by the pattern of their jars' names on this module's class path. */
    enum Library {
        NONE(""),
        NETTY("(netty|slf4j)-.*"),
        JETTY("(jetty|slf4j)-.*");

        private final String jars;

        Library(String jars) {
            this.jars = jars;
        }

        private String classPath(Path programs) {
            List<String> entries = new ArrayList<>(List.of(programs.toString()));
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                String file = Path.of(entry).getFileName().toString();
                if (file.matches(jars)) {
                    entries.add(entry);
                }
            }
            return String.join(File.pathSeparator, entries);
        }
    }
}
