// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import io.pipedevice.bench.Project;
import io.pipedevice.bench.net.ClassPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a program, as users write it. */
final class StartLine {
    private StartLine() {}

    /**
     * The line, which differs by one flag.
     *
     * @param hasFlag whether it has PipeDevice's flag
     * @param flags of the JVM besides
     * @param program the class of its main
     * @param args of main
     */
    static List<String> of(boolean hasFlag, List<String> flags, Class<?> program, String... args) throws IOException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (hasFlag) {
            words.add("-javaagent:" + Project.userJar());
        }
        words.addAll(flags);
        words.addAll(List.of("-cp", ClassPath.ofPrograms(), program.getName()));
        words.addAll(List.of(args));
        return words;
    }
}
