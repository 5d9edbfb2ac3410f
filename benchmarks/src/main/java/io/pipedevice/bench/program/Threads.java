// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the threads of a job. */
final class Threads {
    /** What one thread does. */
    interface Task {
        void run(int index) throws Exception;
    }

    private Threads() {}

    /**
     * Runs a task in each of some threads, a single one in the caller's, until all have ended.
     *
     * @throws Exception if one of them fails
     */
    static void run(int count, Task task) throws Exception {
        if (count == 1) {
            task.run(0);
            return;
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int index = i;
                running.add(threads.submit(() -> {
                    task.run(index);
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
    }
}
