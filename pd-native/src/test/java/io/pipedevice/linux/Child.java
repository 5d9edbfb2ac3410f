// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A child process of a test, which ends with the test. */
final class Child implements AutoCloseable {
    private final Process process;

    private Child(Process process) {
        this.process = process;
    }

    static Child start(String... command) throws IOException {
        return new Child(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** A JVM with this one's class path, started by a shell that first runs {@code setUp}. */
    static Child java(String setUp, String flag, Class<?> main) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", setUp + "; exec \"$@\"", "sh"));
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(List.of(flag, "-Xmx64m", "-cp", System.getProperty("java.class.path"), main.getName()));
        return start(command.toArray(String[]::new));
    }

    int pid() {
        return (int) process.pid();
    }

    Process process() {
        return process;
    }

    /** Waits for the end of the process and returns its output. */
    String output() throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
}
