// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import static io.pipedevice.bench.net.ReportLines.line;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.tool.PipeDeviceCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, with the packaged jar: one row of each way to measure. */
@Timeout(600)
class RegretIT {
    private static final String FIGURES = "( [0-9.]+){3}";
    private static final String NONE = " - - -";

    @Test
    void programsAreMeasuredOnTheKernelAndOnRingsAndNothingStays(@TempDir Path directory) throws Exception {
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
                        "regret",
                        "--rows=stream-heap,transfer-to,accept,http,grpc,start-selector,thread-count",
                        "--runs=1",
                        "--turns=1",
                        "--warm-up=0.05",
                        "--seconds=0.05",
                        "--output=" + directory)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            process.waitFor();
        } finally {
            process.destroy();
        }
        assertTrue(Files.exists(directory.resolve("regret.txt")), () -> read(output));
        String text = Files.readString(directory.resolve("regret.txt"));
        for (Row row : List.of(
                Row.STREAM_HEAP,
                Row.TRANSFER_TO,
                Row.ACCEPT,
                Row.HTTP_COLD,
                Row.HTTP_WARM,
                Row.GRPC_COLD,
                Row.GRPC_WARM,
                Row.START_SELECTOR,
                Row.THREAD_COUNT)) {
            String figures = line(text, "All rows", row.title()).replace(" BELOW", "");
            // On a busy machine a connection may stay on the kernel, and the report says so.
            boolean onRings = row != Row.START_SELECTOR && !text.contains("\n" + row.word() + ": not accelerated: ");
            assertTrue(figures.matches(".*" + FIGURES + (onRings ? FIGURES : NONE)), () -> text);
        }
        assertEquals(text.contains("Not measured") ? 1 : 0, process.exitValue(), () -> text);
        assertTrue(
                Files.readString(directory.resolve("regret.csv")).contains("\nstream-heap,rate,kernel,"), () -> text);
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
