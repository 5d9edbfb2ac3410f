// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import io.pipedevice.bench.WorkerProcess;
import io.pipedevice.bench.regret.program.StartProgram;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link StartProgram} in a process of its own. Used by one thread; {@link #close} ends it. */
final class StartedProgram implements AutoCloseable {
    private static final long TIMEOUT_S = 30;
    private static final String CPU = "cpu ";

    /** Prints the processor time of a command, user and system, in seconds. */
    private static final String TIME = "LC_ALL=C; TIMEFORMAT='" + CPU + "%U %S'; time \"$@\"";

    private final Process process;
    private final BufferedReader output;

    private StartedProgram(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.US_ASCII);
    }

    static StartedProgram start(boolean hasFlag, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", TIME, "bash"));
        command.addAll(StartLine.of(hasFlag, List.of(), StartProgram.class, args));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        WorkerProcess.removeJvmVariables(builder);
        return new StartedProgram(builder.start());
    }

    /** Waits for the number that it prints. */
    long number() throws IOException {
        String line = output.readLine();
        try {
            return Long.parseLong(String.valueOf(line));
        } catch (NumberFormatException e) {
            throw new IOException("a program that starts printed: " + line, e);
        }
    }

    /** A field of its status in proc(5), such as {@code VmRSS}: a number, perhaps with a unit. */
    long status(String field) throws IOException {
        for (String line : Files.readAllLines(proc("status"), StandardCharsets.ISO_8859_1)) {
            if (line.startsWith(field + ":")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("no " + field + " in " + proc("status"));
    }

    /** The number of its open descriptors. */
    long descriptors() throws IOException {
        String[] names = new File(proc("fd").toString()).list();
        if (names == null) {
            throw new IOException("cannot list " + proc("fd"));
        }
        return names.length;
    }

    /** The JVM is the child of the shell that takes its time. */
    private Path proc(String file) throws IOException {
        ProcessHandle jvm = process.children()
                .findFirst()
                .orElseThrow(() -> new IOException("a program that starts has ended too early"));
        return Path.of("/proc", Long.toString(jvm.pid()), file);
    }

    /** Lets it end, and returns the processor time of all of it in seconds. */
    double cpuSeconds() throws IOException, InterruptedException {
        process.getOutputStream().close();
        List<String> lines = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            lines.add(line);
        }
        if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS) || process.exitValue() != 0 || lines.isEmpty()) {
            throw new IOException("a program that starts did not end in time, or failed: " + lines);
        }
        String[] words = lines.getLast().split(" ", -1);
        if (words.length != 3 || !lines.getLast().startsWith(CPU)) {
            throw new IOException("unexpected output of bash's time: " + lines.getLast());
        }
        return Double.parseDouble(words[1]) + Double.parseDouble(words[2]);
    }

    /** Its JVM ends with the standard input. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        WorkerProcess.awaitEnd(process, TIMEOUT_S);
    }
}
