// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;

/** Some threads that do the same for a while, and stay for the next time. One thread uses it. */
final class Workers implements AutoCloseable {
    /** What each of them does. */
    interface Task {
        /**
         * Does something until a moment.
         *
         * @param index of the thread
         * @param end of {@link System#nanoTime}
         * @return how often
         */
        long run(int index, long end) throws Exception;
    }

    private final int count;
    private final ExecutorService threads;

    Workers(int count, ThreadFactory factory) {
        this.count = count;
        this.threads = Executors.newFixedThreadPool(count, factory);
    }

    /** Runs a task in each thread, and returns the sum. */
    long run(long nanos, Task task) throws Exception {
        long end = System.nanoTime() + nanos;
        List<Future<Long>> results = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int index = i;
            results.add(threads.submit(() -> task.run(index, end)));
        }
        long sum = 0;
        for (Future<Long> result : results) {
            sum += result.get();
        }
        return sum;
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
