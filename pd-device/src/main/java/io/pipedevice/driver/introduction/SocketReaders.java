// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.linux.LazyLogger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that read the sockets of questions. A participant has at most one of them at a time, and each user and each
 * container has a share of them, because a process can keep a thread from returning. Belongs to the driver's thread;
 * closed by its owner.
 */
final class SocketReaders implements AutoCloseable {
    private static final System.Logger LOG = new LazyLogger(SocketReaders.class).get();

    /** The most threads, and so the most participants that can keep one. */
    static final int MOST_THREADS = 64;

    private static final long IDLE_S = 5;

    /**
     * How long the end of the driver waits for threads that are reading: a socket that is being read would be useless.
     */
    private static final long CLOSE_PATIENCE_MS = 100;

    private final ThreadPoolExecutor threads;
    private final ConcurrentLinkedQueue<List<Question>> done = new ConcurrentLinkedQueue<>();
    private final Runnable signal;
    private final ContainerShares shares = new ContainerShares(MOST_THREADS);

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
        Participant from = questions.getFirst().from;
        if (!shares.take(from.identity)) {
            return false;
        }
        from.permits.hold();
        boolean done = false;
        try {
            threads.execute(() -> read(from, questions));
            done = true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // As if other processes had all threads.
        } finally {
            if (!done) {
                shares.give(from.identity);
                from.permits.release();
            }
        }
        return done;
    }

    private void read(Participant from, List<Question> questions) {
        questions.forEach(Question::read);
        from.permits.release();
        done.add(questions);
        signal.run();
    }

    /** Questions of one participant whose sockets have been read; null if there are none. */
    List<Question> next() {
        List<Question> read = done.poll();
        if (read != null) {
            shares.give(read.getFirst().from.identity);
        }
        return read;
    }

    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                LOG.log(Level.DEBUG, "processes keep threads that read their sockets");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
