// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import io.pipedevice.wait.FairTimeout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A JVM that runs to its end, with the packaged jar. Not thread safe. */
final class Jvm {
    /** The jar that has everything. */
    static final Path JAR = Path.of(System.getProperty("pipedevice.all.jar")).toAbsolutePath();

    /** The jar that programs load. */
    static final Path AGENT_JAR =
            Path.of(System.getProperty("pipedevice.agent.jar")).toAbsolutePath();

    /** As long as it has a processor; on busy ones up to four times as long. */
    private static final long TIMEOUT_S = 60;

    private static final long LOOK_MS = 50;

    private final List<String> command = new ArrayList<>();
    private final ProcessBuilder builder = new ProcessBuilder(command);

    private Jvm(Path home, String tool) {
        command.add(home.resolve("bin").resolve(tool).toString());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().remove("JDK_JAVA_OPTIONS");
    }

    /** The Java that runs this test. */
    static Jvm java(String... args) {
        return tool("java", args);
    }

    /** Another program of the JDK that runs this test. */
    static Jvm tool(String name, String... args) {
        return new Jvm(Path.of(System.getProperty("java.home")), name).args(args);
    }

    /** The Java of another JDK. */
    static Jvm of(Path home, String... args) {
        return new Jvm(home, "java").args(args);
    }

    Jvm args(String... args) {
        command.addAll(List.of(args));
        return this;
    }

    /** Starts it by a command that replaces itself by the one that follows, such as unshare(1). */
    Jvm by(String... wrapper) {
        command.addAll(0, List.of(wrapper));
        return this;
    }

    Jvm environment(String name, String value) {
        builder.environment().put(name, value);
        return this;
    }

    /**
     * The result of a program that has ended.
     *
     * @param exit its exit code
     * @param out its standard output, lines
     * @param err its standard error, lines, without the JVM's message that it has read an environment variable
     */
    record Result(int exit, List<String> out, List<String> err) {}

    Result run() throws IOException, InterruptedException {
        Path errors = Files.createTempFile("jvm", ".err");
        Process process = builder.redirectError(errors.toFile()).start();
        try {
            process.getOutputStream().close();
            CompletableFuture<List<String>> out = CompletableFuture.supplyAsync(
                    () -> lines(process), each -> Thread.ofPlatform().daemon().start(each));
            FairTimeout timeout = new FairTimeout(System.nanoTime(), TimeUnit.SECONDS.toNanos(TIMEOUT_S));
            while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
                if (timeout.isOver()) {
                    throw new AssertionError(command + " did not end; errors: " + Files.readString(errors));
                }
            }
            List<String> err = Files.readAllLines(errors);
            err.removeIf(line -> line.startsWith("Picked up "));
            return new Result(process.exitValue(), out.join(), err);
        } finally {
            process.destroyForcibly();
            Files.delete(errors);
        }
    }

    private static List<String> lines(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
