// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessesTest {
    /** This happens when the JDK that the program runs on is upgraded meanwhile. */
    @Test
    void aLibraryThatWasRemovedIsTheJvmsAllTheSame(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("maps"), """
                7f01c0000000-7f01c0021000 rw-p 00000000 00:00 0
                7f01d0000000-7f01d1000000 r-xp 00000000 08:01 1234   /opt/a jdk/lib/server/libjvm.so (deleted)
                7f01d2000000-7f01d3000000 r--s 00000000 08:01 1235   /opt/app.jar
                """);
        Set<String> files = Processes.mappedFiles(directory);
        assertEquals(Set.of("/opt/a jdk/lib/server/libjvm.so", "/opt/app.jar"), files);
        assertEquals("/opt/a jdk/lib/server/libjvm.so", Processes.jvmLibrary(files));
    }
}
