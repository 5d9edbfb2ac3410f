// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that read the sockets of questions. A participant has at most one of them at a time, because it can keep that
 * one from returning. Belongs to the driver's thread; closed by its owner.
 */
final class SocketReaders implements AutoCloseable {
    /** The most threads, and so the most participants that can keep one. */
    static final int MOST_THREADS = 64;

    private static final long IDLE_S = 5;

    private final ThreadPoolExecutor threads;
    private final ConcurrentLinkedQueue<List<Question>> done = new ConcurrentLinkedQueue<>();
    private final Runnable signal;

    /** @param signal wakes the driver's thread */
    SocketReaders(Runnable signal) {
        this.signal = signal;
        threads = new ThreadPoolExecutor(0, MOST_THREADS, IDLE_S, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "pd-compare");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Reads the sockets of one participant's questions; whether there is a thread for that. */
    boolean read(List<Question> questions) {
        try {
            threads.execute(() -> {
                questions.forEach(Question::read);
                done.add(questions);
                signal.run();
            });
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return false;
        }
    }

    /** Questions of one participant whose sockets have been read; null if there are none. */
    List<Question> next() {
        return done.poll();
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
