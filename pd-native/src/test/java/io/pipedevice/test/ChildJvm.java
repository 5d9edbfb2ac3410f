// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import io.pipedevice.wait.FairTimeout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A JVM of a test with its own main class. It has ended in any case when this is closed. */
public final class ChildJvm implements AutoCloseable {
    /** As long as the child has a processor; on busy ones up to four times as long. */
    private static final long PATIENCE_S = 30;

    /** The states in proc(5) of threads that are stopped, in a call that is not interrupted, or have ended. */
    private static final String STOPPED = "TtDZX";

    private final Process process;
    private final PrintWriter input;
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private ChildJvm(Process process) {
        this.process = process;
        this.input = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.reader = new Thread(this::read, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a main class of the test's class path. */
    public static ChildJvm start(Class<?> main, String... arguments) throws IOException {
        return start(List.of(), List.of(), main, arguments);
    }

    /**
     * Starts a main class.
     *
     * @param wrapper a command that replaces itself by the one that follows, such as unshare(1); may be empty
     * @param flags of the JVM
     */
    public static ChildJvm start(List<String> wrapper, List<String> flags, Class<?> main, String... arguments)
            throws IOException {
        return start(wrapper, flags, System.getProperty("java.class.path"), main, arguments);
    }

    public static ChildJvm start(
            List<String> wrapper, List<String> flags, String classPath, Class<?> main, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(wrapper);
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-XX:+UseSerialGC",
                "-Xmx96m",
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"));
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(List.of(arguments));
        return of(new ProcessBuilder(command));
    }

    /** Starts a JVM by a command of any kind, such as that of a container. */
    public static ChildJvm of(ProcessBuilder command) throws IOException {
        return new ChildJvm(command.redirectErrorStream(true).start());
    }

    /** The flags of this JVM that open packages and modules; its children need them too. */
    public static List<String> inheritedFlags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .toList();
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                said.add(line);
                lines.add(line);
            }
        } catch (IOException e) {
            said.add("(its output could not be read: " + e + ")");
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Writes a line to its input. */
    public void send(String line) {
        input.println(line);
    }

    /** Waits for a line with a prefix, and returns the rest of the line. */
    public String expect(String beginning) throws IOException {
        try {
            FairTimeout timeout = new FairTimeout(System.nanoTime(), TimeUnit.SECONDS.toNanos(PATIENCE_S));
            while (true) {
                String line = lines.poll(50, TimeUnit.MILLISECONDS);
                if (line != null && line.startsWith(beginning)) {
                    return line.substring(beginning.length()).strip();
                }
                if (line == null && (timeout.isOver() || (!process.isAlive() && !reader.isAlive()))) {
                    String threads = process.isAlive() ? "\n" + Standstill.of(pid()) : "";
                    throw new IOException(
                            "child " + pid() + " did not say \"" + beginning + "\"; it said " + said + threads);
                }
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** Whether a line of its output contains a text. */
    public boolean hasSaid(String text) {
        return said.stream().anyMatch(line -> line.contains(text));
    }

    /** All lines of its output so far. */
    public List<String> said() {
        return List.copyOf(said);
    }

    /** SIGKILL. Does not wait. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Sends it a signal. Waits until STOP has stopped all of its threads, and for no other effect. */
    public void signal(String name) throws IOException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .inheritIO()
                .start();
        if (kill.onExit().join().exitValue() != 0) {
            throw new IOException("child " + pid() + " cannot be sent " + name);
        }
        if (name.equals("STOP")) {
            awaitStopped();
        }
    }

    /** One thread takes the signal and stops the others. Until it has a processor for that, they go on. */
    private void awaitStopped() throws IOException {
        FairTimeout timeout = new FairTimeout(System.nanoTime(), TimeUnit.SECONDS.toNanos(PATIENCE_S));
        while (!isStopped()) {
            if (timeout.isOver()) {
                throw new IOException("child " + pid() + " does not stop");
            }
            Thread.onSpinWait();
        }
    }

    private boolean isStopped() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid()), "task"))) {
            return threads.allMatch(ChildJvm::isStopped);
        }
    }

    /** Whether a thread executes nothing of the program any more. */
    private static boolean isStopped(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return STOPPED.indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
        } catch (IOException e) {
            // It has ended.
            return true;
        }
    }

    /** Waits for its end. Returns false after the timeout. */
    public boolean exits(long seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    /** Waits for its end and returns its exit status. */
    public int awaitEnd() throws IOException {
        try {
            if (!exits(PATIENCE_S)) {
                throw new IOException("child " + pid() + " does not end; it said " + said);
            }
            reader.join(TimeUnit.SECONDS.toMillis(PATIENCE_S));
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        // Not by onExit, which needs a thread of the common pool, and other tests may have them all.
        boolean interrupted = false;
        while (process.isAlive()) {
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        input.close();
    }
}
