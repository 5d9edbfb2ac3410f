// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.tool.PipeDeviceCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command line, or another program, in a process of its own. Closing it ends the process. */
final class Program implements AutoCloseable {
    private static final long END_TIMEOUT_S = 20;

    private final Process process;
    private final BufferedReader reader;
    private final StringBuilder printed = new StringBuilder();

    private Program(Process process) {
        this.process = process;
        this.reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static Program start(String... args) throws IOException {
        return startMain(List.of(), PipeDeviceCommand.class, args);
    }

    /** Starts another program, with flags of its JVM. */
    static Program startMain(List<String> flags, Class<?> main, String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (flag.startsWith("--")) {
                command.add(flag);
            }
        }
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(args));
        return new Program(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Reads lines up to one that contains a text, and returns what follows the text. */
    String await(String text) throws IOException {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            printed.append(line).append('\n');
            int at = line.indexOf(text);
            if (at >= 0) {
                return line.substring(at + text.length());
            }
        }
        throw new IOException("'" + text + "' was not printed, but: " + printed);
    }

    /** Writes a line to its input. */
    void send(String line) throws IOException {
        process.getOutputStream().write((line + '\n').getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Waits for the end. */
    int exitCode() throws IOException, InterruptedException {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            printed.append(line).append('\n');
        }
        assertTrue(process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS), this::printed);
        return process.exitValue();
    }

    /** The output that was read so far. */
    String printed() {
        return printed.toString();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
