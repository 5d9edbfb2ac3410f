// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files that a program's child processes write.
 *
 * @param name of every file
 * @param directory an ancestor directory of the files, which may not exist yet
 */
record WrittenFiles(String name, Path directory) {
    /** The lines of the existing files. The last line may be incomplete. */
    SortedMap<Path, List<String>> lines() throws IOException {
        SortedMap<Path, List<String>> found = new TreeMap<>();
        if (Files.exists(directory)) {
            for (Path file : find()) {
                String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
                found.put(file, text.lines().toList());
            }
        }
        return found;
    }

    private List<Path> find() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(path -> path.endsWith(name)).toList();
        }
    }
}
