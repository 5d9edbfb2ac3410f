// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** Removes the files of a leg. */
final class ScratchFiles {
    private ScratchFiles() {}

    static void delete(Path directory) {
        try (var files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        } catch (IOException e) {
            System.getLogger(ScratchFiles.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot remove {0}: {1}", directory, e.getMessage());
        }
    }
}
