// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Describes a JVM that does not answer: the failure of its test is the only chance to see what it waits for. */
public final class Standstill {
    private static final long DUMP_S = 20;

    private Standstill() {}

    /** What the threads of a JVM do: as the kernel sees them, and as the JVM does if it still answers. */
    public static String of(long pid) {
        return "threads of process " + pid + ":\n" + kernelThreads(pid) + "\n" + dump(pid);
    }

    private static String kernelThreads(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            return threads.map(Standstill::kernelThread).collect(Collectors.joining("\n"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static String kernelThread(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return thread.getFileName() + " " + stat.substring(stat.indexOf('('), stat.lastIndexOf(')') + 3) + " "
                    + Files.readString(thread.resolve("wchan"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static String dump(long pid) {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        List<String> command = List.of(jcmd.toString(), Long.toString(pid), "Thread.print", "-l");
        try {
            Path output = Files.createTempFile("threads", ".txt");
            try {
                Process process = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                boolean ended = process.waitFor(DUMP_S, TimeUnit.SECONDS);
                process.destroyForcibly();
                return (ended ? "" : "the JVM gives no thread dump\n")
                        + Files.readString(output, StandardCharsets.UTF_8);
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e.toString();
        }
    }
}
