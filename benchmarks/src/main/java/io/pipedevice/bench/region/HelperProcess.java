// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.region;

import io.pipedevice.bench.WorkerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A {@link RegionHelper} as a process, which ends when this is closed. */
final class HelperProcess implements AutoCloseable {
    private static final long END_TIMEOUT_S = 5;

    private final Process process;

    private HelperProcess(Process process) {
        this.process = process;
    }

    /** Starts one, which is ready when this returns. */
    static HelperProcess start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(WorkerProcess.java(RegionHelper.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
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
        StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith("READY")) {
                return;
            }
            said.append(line).append('\n');
        }
        throw new IOException("the " + name + " did not start: " + said);
    }

    /** Processor time that it has used, in nanoseconds. */
    long processorNs() {
        return process.info()
                .totalCpuDuration()
                .map(java.time.Duration::toNanos)
                .orElse(0L);
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        WorkerProcess.awaitEnd(process, END_TIMEOUT_S);
    }
}
