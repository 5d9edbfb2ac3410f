// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** What happens to processes on a real machine. All of it is over when a method returns. */
final class Disturbance {
    private static final long MAX_MEGABYTES = 4096;
    private static final long MEMORY_TAKEN_MS = 2000;
    private static final long CLOCK_WRONG_MS = 1500;
    private static final long LIMIT_S = 60;

    private final Stage stage;

    Disturbance(Stage stage) {
        this.stage = stage;
    }

    /** Nothing of a process runs for a while. */
    static void stop(Program program, long millis) throws IOException, InterruptedException {
        signal("STOP", program);
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } finally {
            signal("CONT", program);
        }
    }

    private static void signal(String name, Program program) throws IOException, InterruptedException {
        call("kill", "-" + name, Long.toString(program.pid()));
    }

    /** A full collection, in which all threads pause. */
    static void collect(Program program) throws IOException, InterruptedException {
        call(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(program.pid()),
                "GC.run");
    }

    /** Half of the memory that is available, or some gigabytes, is taken by another process. */
    void takeMemory() throws IOException, InterruptedException {
        long megabytes = Math.min(MAX_MEGABYTES, availableMegabytes() / 2);
        Program hog = stage.start(
                false,
                JavaCommand.program("Idle", JavaCommand.Library.NONE)
                        .with("-XX:+AlwaysPreTouch")
                        .with("-Xms" + megabytes + "m")
                        .with("-Xmx" + megabytes + "m"));
        hog.ready();
        TimeUnit.MILLISECONDS.sleep(MEMORY_TAKEN_MS);
        hog.end();
    }

    private static long availableMegabytes() throws IOException {
        return Files.readString(Path.of("/proc/meminfo"))
                .lines()
                .filter(line -> line.startsWith("MemAvailable:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10)
                .findFirst()
                .orElseThrow(() -> new IOException("no MemAvailable"));
    }

    /** The clock of the wall leaps, and is set right again. The superuser alone can do that. */
    static void stepClock(int seconds) throws IOException, InterruptedException {
        setClock(seconds);
        try {
            TimeUnit.MILLISECONDS.sleep(CLOCK_WRONG_MS);
        } finally {
            setClock(-seconds);
        }
    }

    private static void setClock(int offset) throws IOException, InterruptedException {
        double now = System.currentTimeMillis() / 1e3 + offset;
        call("date", "-s", "@" + BigDecimal.valueOf(now).setScale(3, RoundingMode.HALF_UP));
    }

    private static void call(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        assertEquals(0, process.waitFor(), () -> String.join(" ", command));
    }
}
