// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.program.OtherVersionProgram;
import io.pipedevice.program.WaitingProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an operator sees of a JVM from outside. */
@Timeout(120)
class JvmStatIT {
    private static final String CLASSES =
            Path.of("target/test-classes").toAbsolutePath().toString();

    @Test
    void statShowsAJvmWhileItRuns() throws Exception {
        Process process = start("-javaagent:" + Jvm.JAR, "-cp", CLASSES, WaitingProgram.class.getName());
        String header = process.pid() + "  " + WaitingProgram.class.getName() + ", since ";
        try (BufferedReader out = process.inputReader()) {
            assertEquals("ready", out.readLine());
            List<String> seen = stat();
            int at = indexOf(seen, header);
            assertTrue(at >= 0, seen::toString);
            assertTrue(seen.get(at + 1).endsWith("  accelerated connections as client"), seen::toString);
            assertTrue(
                    seen.get(at + 4).endsWith("  accelerated connections reset: peer broke the protocol"),
                    seen::toString);
            assertTrue(seen.get(at + 9).endsWith("  writes that found a ring full: cut short"), seen::toString);
            assertTrue(seen.get(at + 10).endsWith("  writes that found a ring full: waited"), seen::toString);
            assertTrue(seen.get(at + 11).endsWith("  bytes sent on rings"), seen::toString);
        } finally {
            process.destroy();
            process.waitFor();
        }
        assertFalse(indexOf(stat(), header) >= 0);
    }

    @Test
    void statNamesAJvmThatItCannotRead() throws Exception {
        Process process = start(
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                CLASSES + ":" + Jvm.JAR,
                OtherVersionProgram.class.getName());
        try (BufferedReader out = process.inputReader()) {
            assertNotNull(out.readLine());
            List<String> seen = stat();
            assertTrue(indexOf(seen, process.pid() + "  has another version of PipeDevice; ") >= 0, seen::toString);
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static List<String> stat() throws IOException, InterruptedException {
        Jvm.Result result = Jvm.java("-jar", Jvm.JAR.toString(), "stat").run();
        assertEquals(List.of(), result.err());
        assertEquals(0, result.exit());
        return result.out();
    }

    private static int indexOf(List<String> lines, String start) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(start)) {
                return i;
            }
        }
        return -1;
    }
}
