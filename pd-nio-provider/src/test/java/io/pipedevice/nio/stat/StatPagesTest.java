// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatPagesTest {
    private static final String NAME = "memfd:" + StatPageDescriptor.NAME + " (deleted)";

    /** In a mount that is in no directory any more, the path of a file begins there. */
    @Test
    void aFileWithTheNameOfAPageIsNotOne(@TempDir Path directory) throws Exception {
        String script =
                "mount -t tmpfs fake $PWD && exec 5<>\"$PWD/" + NAME + "\" && umount -l $PWD && echo ready && exec cat";
        Process process = new ProcessBuilder("unshare", "--mount", "sh", "-c", script)
                .directory(directory.toFile())
                .start();
        try {
            assumeTrue("ready".equals(process.inputReader().readLine()), "no mount namespaces");
            Path descriptor = Path.of("/proc", Long.toString(process.pid()), "fd", "5");
            assertEquals("/" + NAME, Files.readSymbolicLink(descriptor).toString());
            assertNotNull(StatPages.read(descriptor));
            assertNull(StatPages.copyOf((int) process.pid()));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
