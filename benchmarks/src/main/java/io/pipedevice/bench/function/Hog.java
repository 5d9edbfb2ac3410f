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

    /** Ends them. */
    void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
