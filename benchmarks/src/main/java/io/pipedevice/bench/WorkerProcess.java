// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import io.pipedevice.wait.FairTimeout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process that is told what to do, and answers, in lines. Used by one thread; any thread may call {@link #close},
 * which ends the process. The process also ends by itself when this one ends in any way.
 */
public final class WorkerProcess implements AutoCloseable {
    /** If the processors are not busy with other threads. */
    private static final long ANSWER_TIMEOUT_S = 30;

    private static final long END_TIMEOUT_S = 3;
    private static final String END = "";

    /** The variables that give a JVM options in addition to its command line. */
    private static final List<String> JVM_VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private final String name;
    private final Process process;
    private final PrintStream in;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    private WorkerProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.in = new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII);
        Thread reader = new Thread(this::read, name + "-answers");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * The command line of another JVM like this one: the same Java, the same flags, the same classes.
     *
     * @param mainClass its name
     * @return a new list, to which arguments may be added
     */
    public static List<String> java(String mainClass) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            // A debugger or a profiler of this process must not run in its children: they would overwrite its files.
            if (!flag.startsWith("-agentlib:") && !flag.startsWith("-javaagent:")) {
                command.add(flag);
            }
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        return command;
    }

    /**
     * Starts a program that ends with its standard input.
     *
     * @param name for messages
     * @param command the program and its arguments
     * @return the process
     * @throws IOException if it cannot be started
     */
    public static WorkerProcess start(String name, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        removeJvmVariables(builder);
        return new WorkerProcess(name, builder.start());
    }

    /**
     * Removes the variables with options for JVMs from a process's environment, so that TCP is measured without
     * PipeDevice even if the user has exported its agent.
     *
     * @param builder of the process
     */
    public static void removeJvmVariables(ProcessBuilder builder) {
        builder.environment().keySet().removeAll(JVM_VARIABLES);
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            // The process was destroyed; report its end.
            answers.add(END);
        }
        answers.add(END);
    }

    /**
     * Sends a command and waits for its answer.
     *
     * @param command one line
     * @param expected the answer's first word
     * @return the answer's words
     * @throws IOException if the process gives another answer, dies, or gives no answer in time
     * @throws InterruptedException if this thread is interrupted
     */
    public String[] ask(String command, String expected) throws IOException, InterruptedException {
        send(command);
        return await(expected);
    }

    /**
     * Sends a command.
     *
     * @param command one line
     */
    public void send(String command) {
        in.println(command);
    }

    /**
     * Waits for an answer.
     *
     * @param expected its first word
     * @return its words
     * @throws IOException if the process gives another answer, dies, or gives no answer in time
     * @throws InterruptedException if this thread is interrupted
     */
    public String[] await(String expected) throws IOException, InterruptedException {
        return await(expected, 0);
    }

    /**
     * Waits for the answer to a command that takes a while.
     *
     * @param expected its first word
     * @param millis how long the command takes
     * @return its words
     * @throws IOException if the process gives another answer, dies, or gives no answer in time after that
     * @throws InterruptedException if this thread is interrupted
     */
    public String[] await(String expected, long millis) throws IOException, InterruptedException {
        String line = awaitLine(expected, TimeUnit.SECONDS.toMillis(ANSWER_TIMEOUT_S) + millis);
        String[] words = line.split(" ");
        if (!words[0].equals(expected)) {
            throw new IOException("the " + name + " process failed: " + line);
        }
        return words;
    }

    /**
     * Waits for any answer.
     *
     * @param expected for messages
     * @return the line
     * @throws IOException if the process dies, or gives no answer in time
     * @throws InterruptedException if this thread is interrupted
     */
    public String awaitLine(String expected) throws IOException, InterruptedException {
        return awaitLine(expected, TimeUnit.SECONDS.toMillis(ANSWER_TIMEOUT_S));
    }

    private String awaitLine(String expected, long millis) throws IOException, InterruptedException {
        FairTimeout timeout = new FairTimeout(System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(millis));
        String line;
        do {
            line = answers.poll(timeout.untilNs() - System.nanoTime(), TimeUnit.NANOSECONDS);
        } while (line == null && timeout.goesOn());
        if (line == null) {
            throw new IOException("the " + name + " process did not answer '" + expected + "' within "
                    + TimeUnit.NANOSECONDS.toSeconds(timeout.elapsedNs()) + " s");
        }
        if (line.equals(END)) {
            throw new IOException(
                    "the " + name + " process ended" + exitCode() + " instead of answering '" + expected + "'");
        }
        return line;
    }

    /**
     * Adds the failures that the process has reported, and that no caller has awaited, to an exception.
     *
     * @param to gets them as suppressed exceptions
     */
    public void addFailures(IOException to) {
        for (String line : answers) {
            if (line.startsWith("error ")) {
                to.addSuppressed(new IOException("the " + name + " process failed: " + line));
            }
        }
    }

    /** How it ended, for a message; empty if it has only closed its output. */
    private String exitCode() throws InterruptedException {
        return process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS) ? " with exit code " + process.exitValue() : "";
    }

    /**
     * The process's number.
     *
     * @return its PID
     */
    public int pid() {
        return (int) process.pid();
    }

    /** Ends the process, first by closing its standard input, so that it can clean up. */
    @Override
    public void close() {
        in.close();
        awaitEnd(process, END_TIMEOUT_S);
    }

    /**
     * Waits for a process to end, and ends it if it does not.
     *
     * @param process any
     * @param seconds how long to wait
     */
    public static void awaitEnd(Process process, long seconds) {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
