// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import java.io.IOException;

/** Which processor a process runs on. */
final class Processors {
    /** How many there are; the JVM counts only those on which it may run now. */
    private static final int ALL = Runtime.getRuntime().availableProcessors();

    private Processors() {}

    /** Lets a process run on one processor only. */
    static void pin(long pid, int processor) throws IOException {
        pin(pid, Integer.toString(processor));
    }

    /** Lets a process run on all processors again. */
    static void unpin(long pid) throws IOException {
        pin(pid, "0-" + (ALL - 1));
    }

    private static void pin(long pid, String processors) throws IOException {
        Process taskset = new ProcessBuilder("taskset", "-acp", processors, Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (taskset.waitFor() != 0) {
                throw new IOException("taskset cannot move process " + pid);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
