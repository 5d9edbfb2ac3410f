// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.SpinMode;
import io.pipedevice.test.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("peer")
@Timeout(120)
class OneCarrierTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(SpinMode.class)
    void virtualThreadsThatWaitLeaveTheCarrierToOthers(SpinMode mode) throws IOException, InterruptedException {
        File output = directory.resolve("output").toFile();
        Process process = new ProcessBuilder(command(mode))
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            assertTrue(process.waitFor(100, TimeUnit.SECONDS), "it hangs");
            assertEquals("", Files.readString(output.toPath()));
            assertEquals(0, process.exitValue());
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    /** Starts the program with one carrier, without compensation. */
    private static List<String> command(SpinMode mode) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ChildJvm.inheritedFlags());
        command.add("-Djdk.virtualThreadScheduler.parallelism=1");
        command.add("-Djdk.virtualThreadScheduler.maxPoolSize=1");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(OneCarrierProgram.class.getName());
        command.add(mode.name());
        return command;
    }
}
