// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Virtual threads that share one carrier: a thread that blocks the carrier would stop all the others. */
class VirtualThreadContractTest extends Contract {
    /** A tenth of what a server may have; -Pendurance runs it in full. */
    private static final String THREADS = System.getProperty("pipedevice.test.virtual", "1000");

    @TempDir
    Path directory;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void nobodyHoldsTheOnlyCarrier() throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(9, TimeUnit.MINUTES);
            assertEquals(true, ended, () -> "the program hangs: " + read(output));
            assertEquals(0, process.exitValue(), () -> read(output));
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    /** The command of a JVM with one carrier, which is never compensated for. */
    private List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ChildJvm.inheritedFlags());
        // What a JVM that is killed leaves there ends with this test.
        command.add("-Djava.io.tmpdir=" + directory);
        command.add("-Djdk.virtualThreadScheduler.parallelism=1");
        command.add("-Djdk.virtualThreadScheduler.maxPoolSize=1");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(VirtualThreadProgram.class.getName());
        command.add(pairing.name());
        command.add(THREADS);
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
