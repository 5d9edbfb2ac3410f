// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.function;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class FunctionFileTest {
    private static final String COMPILER = "clang version 14.0.6";
    private static final Path HEADERS =
            Path.of("..", "pd-active", "src", "main", "c").toAbsolutePath();
    private static final Path SOURCES = Path.of("src", "main", "resources", "io", "pipedevice", "samples");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {"table/table_get", "table/table_put", "tree/tree_get", "tree/tree_get_words", "tree/tree_scan"})
    void theObjectFileIsWhatItsSourceIsCompiledTo(String name) throws IOException, InterruptedException {
        assumeTrue(isSameCompiler(), COMPILER + " is not there");
        Path source = SOURCES.resolve(name + ".c");
        Path object = directory.resolve("new.o");
        Process clang = new ProcessBuilder(
                        "clang",
                        "-target",
                        "bpf",
                        "-O2",
                        "-I",
                        HEADERS.toString(),
                        "-c",
                        source.getFileName().toString(),
                        "-o",
                        object.toString())
                .directory(source.getParent().toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(clang.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, clang.waitFor(), said);
        assertArrayEquals(
                Files.readAllBytes(object),
                Files.readAllBytes(SOURCES.resolve(name + ".o")),
                name + ".o is older than its source or pd_active.h: compile it again");
    }

    private static boolean isSameCompiler() throws InterruptedException {
        try {
            Process clang = new ProcessBuilder("clang", "--version")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(clang.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return clang.waitFor() == 0 && said.contains(COMPILER);
        } catch (IOException e) {
            return false;
        }
    }
}
