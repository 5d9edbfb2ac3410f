// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;

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
        run(count, Executors.defaultThreadFactory(), task);
    }

    /** The same with threads of a factory. */
    static void run(int count, ThreadFactory factory, Task task) throws Exception {
        if (count == 1) {
            task.run(0);
            return;
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(count, factory)) {
            for (Future<?> one : startAll(threads, count, task)) {
                one.get();
            }
        }
    }

    /** Starts a thread for each index. If one cannot be created, interrupts the others, which may wait for it. */
    private static List<Future<?>> startAll(ExecutorService threads, int count, Task task) throws IOException {
        List<Future<?>> running = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                int index = i;
                running.add(threads.submit(() -> {
                    task.run(index);
                    return null;
                }));
            }
            return running;
        } catch (OutOfMemoryError e) { // what a JVM says of a thread that the system refuses
            threads.shutdownNow();
            throw new IOException(
                    "only " + running.size() + " of " + count + " threads could be created: " + e.getMessage(), e);
        }
    }
}
