// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A process whose output lines are collected. Nothing waits for it without a limit. One thread; another thread delivers
 * the lines.
 */
final class Program implements AutoCloseable {
    /** The time limit of a client for one check. It is longer than a working program can need on any machine. */
    static final long CHECK_LIMIT_S = Sizes.MEASURED ? 300 : 90;

    private static final long LINE_LIMIT_S = CHECK_LIMIT_S + 30;
    private static final long END_LIMIT_S = 60;

    /** A JVM's exit code for SIGTERM. */
    private static final int TERMINATED = 128 + 15;

    /** Represents the end of the output; no line is identical to it. */
    private static final String END = new String("end of output");

    /** The process must not outlive a JVM that is killed. The kernel ends it with the thread that has started it. */
    private static final List<String> WITH_STARTER =
            isInstalled("setpriv") ? List.of("setpriv", "--pdeathsig", "KILL", "--") : List.of();

    private final String name;
    private final Process process;
    private final Thread reader;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Queue<String> log = new ConcurrentLinkedQueue<>();

    /** The descendants that were seen; when the program has crashed they have no parent to find them by. */
    private final Set<ProcessHandle> descendants = ConcurrentHashMap.newKeySet();

    private final List<WrittenFiles> others = new ArrayList<>();

    private Program(String name, Process process) {
        this.name = name + " (" + process.pid() + ")";
        this.process = process;
        this.reader = Thread.ofPlatform().daemon().name(this.name).start(this::read);
    }

    static Program start(String name, List<String> command) throws IOException {
        return start(name, command, Map.of());
    }

    static Program start(String name, List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(WITH_STARTER)).redirectErrorStream(true);
        builder.command().addAll(command);
        // Otherwise PipeDevice in the environment would also affect the measurements without it.
        builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        builder.environment().putAll(environment);
        return new Program(name, builder.start());
    }

    /** Whether the system has such a command. */
    static boolean isInstalled(String command) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(bin -> Files.isExecutable(Path.of(bin, command)));
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                log.add(line);
                lines.add(line);
            }
        } catch (IOException e) {
            log.add(e.toString());
        } finally {
            lines.add(END);
        }
    }

    long pid() {
        return process.pid();
    }

    /**
     * The processes that it has started, directly or indirectly. From now on they end with it, even if it crashes
     * before.
     */
    List<ProcessHandle> descendants() {
        List<ProcessHandle> found = process.descendants().toList();
        descendants.addAll(found);
        return found;
    }

    /** The words of the form {@code name=value} in the program's ready line. */
    Map<String, String> ready() throws InterruptedException {
        return values(await("READY"));
    }

    /** Reads lines up to one that begins with a word, and returns what follows the word. */
    String await(String word) throws InterruptedException {
        String line = awaitLine(word, candidate -> candidate.equals(word) || candidate.startsWith(word + " "));
        return line.substring(word.length()).trim();
    }

    /** Reads lines up to one that is wanted. */
    String awaitLine(String what, Predicate<String> wanted) throws InterruptedException {
        while (true) {
            String line = lines.poll(LINE_LIMIT_S, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError(name + " has not printed " + what);
            }
            if (isEnd(line)) {
                lines.add(END);
                throw new AssertionError(name + " ended without " + what);
            }
            if (wanted.test(line)) {
                return line;
            }
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean isEnd(String line) {
        return line == END;
    }

    /** Waits for the end of a client's checks, all of which must have passed. */
    Map<String, String> done() throws InterruptedException {
        List<String> failures = new ArrayList<>();
        String line;
        do {
            line = awaitLine("DONE", candidate -> candidate.matches("(OK|FAILED|DONE) .*"));
            if (line.startsWith("FAILED")) {
                failures.add(line);
            }
        } while (!line.startsWith("DONE"));
        assertEquals(List.of(), failures, name);
        return values(line);
    }

    /** Sends a line to a client that runs without an end; it must make progress after that. */
    void progress(String line) throws IOException, InterruptedException {
        say(line);
        String answer = awaitLine("PROGRESS", candidate -> candidate.matches("(FAILED|PROGRESS) .*"));
        assertFalse(answer.startsWith("FAILED"), () -> name + ": " + answer);
    }

    private static Map<String, String> values(String line) {
        Map<String, String> values = new HashMap<>();
        for (String word : line.split(" ", -1)) {
            int at = word.indexOf('=');
            if (at > 0) {
                values.put(word.substring(0, at), word.substring(at + 1));
            }
        }
        return values;
    }

    /** The program's own measurement, if it printed one. */
    Optional<Double> measured(String name) {
        return log.stream()
                .filter(line -> line.startsWith("MEASURED " + name + "="))
                .map(line -> Double.valueOf(line.substring(line.indexOf('=') + 1)))
                .findFirst();
    }

    void say(String line) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append(line).append('\n').flush();
    }

    /** Ends the program's standard input, which requests it to end, and expects an orderly exit. */
    void end() throws IOException, InterruptedException {
        process.getOutputStream().close();
        assertEquals(0, exitCode(), name);
        assertEquals(List.of(), warnings(), name);
    }

    /** Ends its standard input, and returns its exit code, without a check of its output. */
    int leave() throws IOException, InterruptedException {
        process.getOutputStream().close();
        return exitCode();
    }

    /** The lines that a program in order does not print. */
    List<String> warnings() {
        return LogLines.warnings(List.copyOf(log));
    }

    /** The lines that are errors. */
    List<String> errors() {
        return LogLines.errors(List.copyOf(log));
    }

    /** Treats what its children write as its own output. */
    void alsoWrites(WrittenFiles files) {
        others.add(files);
    }

    /** Checks that PipeDevice itself has not warned, in any process. */
    void checkPipeDeviceIsQuiet() throws IOException {
        List<String> warnings = new ArrayList<>(LogLines.aboutPipeDevice(List.copyOf(log)));
        for (WrittenFiles files : others) {
            files.lines().values().forEach(lines -> warnings.addAll(LogLines.aboutPipeDevice(lines)));
        }
        assertEquals(List.of(), warnings, this::log);
    }

    /** Requests it to end by a signal. */
    int terminate() throws InterruptedException {
        process.destroy();
        return exitCode();
    }

    /** Ends a JVM by that signal, and checks that this was its end. */
    void terminateJvm() throws InterruptedException {
        assertEquals(TERMINATED, terminate(), this::toString);
    }

    /** Ends it by kill -9. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        exitCode();
    }

    private int exitCode() throws InterruptedException {
        if (!process.waitFor(END_LIMIT_S, TimeUnit.SECONDS)) {
            throw new AssertionError(name + " did not end");
        }
        reader.join(TimeUnit.SECONDS.toMillis(END_LIMIT_S));
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public String toString() {
        return name;
    }

    /** All output so far, including its children's. */
    String log() {
        StringBuilder text = new StringBuilder();
        append(text, name + (process.isAlive() ? "" : ", exit code " + process.exitValue()), log);
        for (WrittenFiles files : others) {
            try {
                files.lines().forEach((file, lines) -> append(text, file.toString(), lines));
            } catch (IOException e) {
                append(text, e.toString(), List.of());
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String title, Collection<String> lines) {
        text.append("--- ").append(title).append('\n');
        lines.forEach(line -> text.append(line).append('\n'));
    }

    /** Kills it and all that it has started, in any state, and waits for nothing. */
    void destroy() {
        descendants();
        descendants.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Kills it, and leaves nothing of it behind. */
    @Override
    public void close() {
        destroy();
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended before it read all its input.
        }
        try {
            exitCode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
