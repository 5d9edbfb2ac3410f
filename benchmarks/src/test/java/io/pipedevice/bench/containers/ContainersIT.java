// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.tool.PipeDeviceCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, with the packaged jar. */
@Timeout(480)
class ContainersIT {
    @Test
    void oneRowIsMeasuredOnEveryTransportAndNothingStays(@TempDir Path directory) throws Exception {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may make network namespaces");
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PipeDeviceCommand.class.getName(),
                        "bench",
                        "containers",
                        "--rows=stream-64k",
                        "--runs=1",
                        "--warm-up=0.1",
                        "--seconds=0.1",
                        "--output=" + directory)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertEquals(0, process.waitFor(), () -> read(output));
        } finally {
            process.destroy();
        }
        String text = Files.readString(directory.resolve("containers.txt"));
        String line = text.lines()
                .filter(one -> one.startsWith("64 KB one way, GB/s"))
                .findFirst()
                .orElseThrow();
        // Where the packages of sockmap are missing, the report says which.
        boolean hasSockmap = !text.contains("not available: ");
        assertEquals(hasSockmap ? 0 : 2, line.chars().filter(c -> c == '-').count(), text);
        assertTrue(Files.readString(directory.resolve("containers.html")).contains("<polyline"));
        assertTrue(Files.readString(directory.resolve("containers.csv")).contains("STREAM_64K,DIRECT,GIGABYTES,"));
        assertEquals(List.of(), ProcessHandle.current().children().toList());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
