// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Processes that use a processor up, with as high a priority as this process may give, until this is closed. */
final class Hog {
    private static final int COUNT = 2;

    private final List<Process> processes = new ArrayList<>();

    /** Starts on a processor. */
    Hog(int processor) throws IOException {
        try {
            for (int i = 0; i < COUNT; i++) {
                processes.add(new ProcessBuilder(
                                "taskset",
                                "-c",
                                Integer.toString(processor),
                                "nice",
                                "-n",
                                "-20",
                                "sh",
                                "-c",
                                "while :; do :; done")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start());
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Lets a process run on one processor only. */
    static void pin(long pid, int processor) throws IOException {
        pin(pid, Integer.toString(processor));
    }

    /** Lets a process run on all processors again. The JVM says how many there are while it is not pinned. */
    static void unpin(long pid, int processors) throws IOException {
        pin(pid, "0-" + (processors - 1));
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

    void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
