// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.jdk.Jdk;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program of virtual threads with one carrier, which is never compensated for. Before JDK 24 it may be, because
 * a selector keeps its carrier there.
 */
final class OneCarrierJvm {
    private static final int DEFAULT_POOL = 256;

    private OneCarrierJvm() {}

    /**
     * Runs it to its end, which must be a success.
     *
     * @param output where its output is kept until then, in a directory that ends with the test
     */
    static void run(Path output, long minutes, Class<?> program, String... arguments)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(output.getParent(), program, arguments))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(minutes, TimeUnit.MINUTES), () -> "the program hangs: " + read(output));
            assertEquals(0, process.exitValue(), () -> read(output));
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    private static List<String> command(Path temporary, Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ChildJvm.inheritedFlags());
        // What a JVM that is killed leaves there ends with the test.
        command.add("-Djava.io.tmpdir=" + temporary);
        command.add("-Djdk.virtualThreadScheduler.parallelism=1");
        command.add("-Djdk.virtualThreadScheduler.maxPoolSize=" + (Jdk.MONITORS_PIN ? DEFAULT_POOL : 1));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(program.getName());
        command.addAll(List.of(arguments));
        return command;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
