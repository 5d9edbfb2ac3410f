// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A program of this module as a process, which prints READY when it is ready, and ends when this is closed. */
public final class HelperProcess implements AutoCloseable {
    private static final String READY = "READY";
    private static final long END_TIMEOUT_S = 5;

    private final Process process;

    /** What it has said behind READY. */
    private String said = "";

    private HelperProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts one, which is ready when this returns.
     *
     * @param program the class of its main
     * @param arguments of main; the first one names it in messages
     * @return the process
     * @throws IOException if it ends before it is ready
     */
    public static HelperProcess start(Class<?> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(WorkerProcess.java(program.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        WorkerProcess.removeJvmVariables(builder);
        Process process = builder.start();
        HelperProcess helper = new HelperProcess(process);
        try {
            helper.awaitReady(arguments[0]);
            return helper;
        } catch (IOException e) {
            helper.close();
            throw e;
        }
    }

    private void awaitReady(String name) throws IOException {
        BufferedReader output = process.inputReader();
        StringBuilder lines = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(READY)) {
                said = line.substring(READY.length()).strip();
                return;
            }
            lines.append(line).append('\n');
        }
        throw new IOException("the " + name + " did not start: " + lines);
    }

    /**
     * What it has said when it was ready.
     *
     * @return the line behind READY
     */
    public String said() {
        return said;
    }

    /**
     * Its number.
     *
     * @return the PID
     */
    public long pid() {
        return process.pid();
    }

    /**
     * Processor time that it has used.
     *
     * @return in nanoseconds
     */
    public long processorNs() {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        WorkerProcess.awaitEnd(process, END_TIMEOUT_S);
    }
}
