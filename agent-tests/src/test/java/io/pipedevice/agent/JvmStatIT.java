// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.program.HoldingProgram;
import io.pipedevice.program.OtherVersionProgram;
import io.pipedevice.program.WaitingProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The counters of a JVM that an operator sees from outside. */
@Timeout(480)
class JvmStatIT {
    private static final String CLASSES =
            Path.of("target/test-classes").toAbsolutePath().toString();

    @Test
    void statShowsAJvmWhileItRuns() throws Exception {
        Process process = start("-javaagent:" + Jvm.JAR, "-cp", CLASSES, WaitingProgram.class.getName());
        String header = process.pid() + "  " + WaitingProgram.class.getName() + ", since ";
        try (BufferedReader out = process.inputReader()) {
            assertEquals("ready", out.readLine());
            List<String> seen = stat("--all");
            int at = indexOf(seen, header);
            assertTrue(at >= 0, seen::toString);
            assertEquals("no connection of java.nio yet", seen.get(at + 1).strip());
            assertTrue(seen.get(at + 2).endsWith("  accelerated connections as client"), seen::toString);
            assertTrue(
                    seen.get(at + 7).endsWith("  accelerated connections reset: peer broke the protocol"),
                    seen::toString);
            assertTrue(seen.get(at + 15).endsWith("  writes that found a ring full: cut short"), seen::toString);
            assertTrue(seen.get(at + 16).endsWith("  writes that found a ring full: waited"), seen::toString);
            assertTrue(seen.get(at + 17).endsWith("  bytes sent on rings"), seen::toString);
            List<String> some = stat(Long.toString(process.pid()));
            assertTrue(some.get(0).startsWith(header), some::toString);
            assertTrue(some.stream().noneMatch(line -> line.strip().startsWith("0 ")), some::toString);
            assertTrue(some.size() < seen.size(), some::toString);
        } finally {
            process.destroy();
            process.waitFor();
        }
        assertFalse(indexOf(stat(), header) >= 0);
        assertRefused(process.pid(), "there is no process " + process.pid());
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

    @Test
    void processWithoutCountersIsOneLine() throws Exception {
        Process plain = start("-cp", CLASSES, WaitingProgram.class.getName());
        Process idle = start("-javaagent:" + Jvm.JAR, "-cp", CLASSES, HoldingProgram.class.getName());
        Process other = new ProcessBuilder("cat").start();
        try (BufferedReader out = plain.inputReader();
                BufferedReader idles = idle.inputReader()) {
            assertEquals("ready", out.readLine());
            assertEquals("ready", idles.readLine());
            assertRefused(
                    plain.pid(),
                    "process " + plain.pid() + " (" + WaitingProgram.class.getName()
                            + ") has no counters: PipeDevice is not in this JVM; start it with -javaagent:pipedevice-agent.jar");
            assertRefused(
                    idle.pid(),
                    "process " + idle.pid() + " (" + HoldingProgram.class.getName() + ") has no counters: "
                            + DoctorPrograms.NO_CHANNEL);
            assertRefused(
                    other.pid(), "process " + other.pid() + " (cat) is no JVM, and PipeDevice accelerates java.nio");
        } finally {
            for (Process process : List.of(plain, idle, other)) {
                process.destroy();
                process.waitFor();
            }
        }
    }

    @Test
    void processOfAnotherUserIsOneLine() throws Exception {
        List<String> command = DoctorPrograms.asUser("12345");
        long self = ProcessHandle.current().pid();
        Jvm.Result result = Jvm.java("-jar", Jvm.JAR.toString(), "stat", Long.toString(self))
                .by(command.toArray(String[]::new))
                .run();
        assertEquals(
                List.of("pipedevice: process " + self + " belongs to user 0; run stat as that user, or as root"),
                result.err());
        assertEquals(1, result.exit());
    }

    private static void assertRefused(long pid, String why) throws Exception {
        Jvm.Result result =
                Jvm.java("-jar", Jvm.JAR.toString(), "stat", Long.toString(pid)).run();
        assertEquals(new Jvm.Result(1, List.of(), List.of("pipedevice: " + why)), result);
    }

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static List<String> stat(String... arguments) throws IOException, InterruptedException {
        Jvm.Result result =
                Jvm.java("-jar", Jvm.JAR.toString(), "stat").args(arguments).run();
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
