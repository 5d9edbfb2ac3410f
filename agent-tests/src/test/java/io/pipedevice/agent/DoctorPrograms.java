// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.program.HoldingProgram;
import io.pipedevice.tool.PipeDeviceCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Real programs, which end with the test, and the doctor's findings about them. */
abstract class DoctorPrograms {
    /** A flag by which the sockets of java.net stay the JDK's. */
    static final String CHANNELS_ALONE = "-Dpipedevice.sockets=channels";

    /** What is said of a program that has no connection which could use rings. */
    static final String NO_CHANNEL =
            "PipeDevice is in this JVM, but the program has opened no channel of java.nio that can be accelerated";

    static final String AGENT = "-javaagent:" + Jvm.AGENT_JAR;
    static final String SMALL = "-Xmx64m";
    static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    static final String CLASSES =
            Path.of("target/test-classes").toAbsolutePath().toString();
    static final String HOLDING = HoldingProgram.class.getName();

    @TempDir
    Path dir;

    final List<Process> started = new ArrayList<>();

    @AfterEach
    void endPrograms() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    Process start(String... command) throws IOException {
        return startIn(Path.of(""), command);
    }

    Process startIn(Path directory, String... command) throws IOException {
        return startIn(directory, false, command);
    }

    /** @param mixed whether the program's standard error is part of its standard output */
    Process startIn(Path directory, boolean mixed, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toAbsolutePath().toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectErrorStream(mixed);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().remove("JDK_JAVA_OPTIONS");
        Process process = builder.start();
        started.add(process);
        return process;
    }

    /**
     * Starts a program that keeps what it has opened, with the agent or without. It prints its next line when it has
     * opened everything.
     */
    Process hold(boolean agent, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(JAVA, SMALL, "-cp", CLASSES, HOLDING));
        if (agent) {
            command.add(1, AGENT);
        }
        command.addAll(List.of(args));
        return start(command.toArray(String[]::new));
    }

    /** Starts a program that keeps what it has opened, with the agent and a flag. */
    Process holdWith(String flag, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(JAVA, AGENT, SMALL, flag, "-cp", CLASSES, HOLDING));
        command.addAll(List.of(args));
        return start(command.toArray(String[]::new));
    }

    static String next(Process process) throws IOException {
        return process.inputReader().readLine();
    }

    Process server(boolean agent) throws IOException {
        return hold(agent, "serve", "accept");
    }

    Process client(boolean agent, String how, String port) throws IOException {
        Process client = hold(agent, how, port);
        assertEquals("ready", next(client));
        return client;
    }

    /** The doctor's output and exit code. */
    record Diagnosis(int exit, List<String> lines, String err) {
        /** The only line with a code; fails unless there is exactly one. */
        String line(String code) {
            List<String> found = lines.stream()
                    .filter(line -> line.split(" +", -1)[1].equals(code))
                    .toList();
            assertEquals(1, found.size(), () -> code + " in " + this);
            return found.get(0).replaceAll(" +", " ");
        }

        boolean has(String code) {
            return lines.stream().anyMatch(line -> line.split(" +", -1)[1].equals(code));
        }
    }

    static Diagnosis diagnose(long pid) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = PipeDeviceCommand.commandLine(List.of())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute("doctor", Long.toString(pid));
        return new Diagnosis(exit, out.toString().lines().toList(), err.toString());
    }

    /** The beginning of a command that runs the rest as another user; skips the test where that is not possible. */
    static List<String> asUser(String user) throws InterruptedException {
        List<String> command = List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups");
        List<String> probe = new ArrayList<>(command);
        probe.addAll(List.of("test", "-r", Jvm.AGENT_JAR.toString()));
        try {
            int exit = new ProcessBuilder(probe)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            assumeTrue(exit == 0, "not root, or the jar cannot be read by others");
        } catch (IOException e) {
            assumeTrue(false, "no setpriv");
        }
        return command;
    }

    /** Starts a program that keeps what it has opened, with the agent, as another user. */
    Process holdAs(String user, String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(asUser(user));
        command.addAll(List.of(JAVA, AGENT, SMALL, "-cp", CLASSES, HOLDING));
        command.addAll(List.of(args));
        return start(command.toArray(String[]::new));
    }
}
