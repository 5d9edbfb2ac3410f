// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs code on several threads at once. */
public final class Together {
    /** The number of threads. */
    public static final int THREADS = 4;

    private Together() {}

    /** The work of one thread. */
    @FunctionalInterface
    public interface Part {
        /** Does the work of one thread, once all have started; threads are numbered from 0. */
        void run(int thread) throws Exception;
    }

    /** Returns when all are done or the first has failed. */
    public static void run(Part part) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        ExecutorCompletionService<Object> running = new ExecutorCompletionService<>(threads);
        try {
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                running.submit(() -> {
                    start.await();
                    part.run(thread);
                    return null;
                });
            }
            for (int i = 0; i < THREADS; i++) {
                running.take().get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
