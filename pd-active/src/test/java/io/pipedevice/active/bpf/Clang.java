// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The compiler from C, where there is one. */
public final class Clang {
    private Clang() {}

    /**
     * Compiles a file; aborts the test if there is no clang.
     *
     * @param source in C
     * @param options besides those of the README
     * @return the object file, beside the source
     * @throws InterruptedException if the test is interrupted
     */
    public static Path compile(Path source, String... options) throws InterruptedException {
        Path object = source.resolveSibling("clang.o");
        List<String> command = new ArrayList<>(List.of("clang", "-target", "bpf", "-O2"));
        command.addAll(List.of(options));
        command.addAll(List.of("-c", source.toString(), "-o", object.toString()));
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            assertTrue(process.waitFor(100, TimeUnit.SECONDS));
            assertEquals(0, process.exitValue());
        } catch (IOException e) {
            abort("there is no clang: " + e.getMessage());
        }
        return object;
    }
}
