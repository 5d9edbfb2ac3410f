// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.System.Logger.Level;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Closes descriptors that other processes had a hand in, on threads that may wait. close(2) of a stranger's descriptor
 * blocks for as long as that stranger likes: a TCP socket with SO_LINGER whose peer reads nothing, a file of a file
 * system in user space. And such a descriptor may lie unseen in a socket: what was sent there and not received is closed
 * with it. Threads that serve others must never wait for either.
 *
 * <p>The threads end when there was nothing to close for a while. Thread safe.
 */
public final class Disposal implements AutoCloseable {
    private static final LazyLogger LOG = new LazyLogger(Disposal.class);
    private static final int THREADS = 64;
    private static final long IDLE_S = 1;
    private static final long CLOSE_PATIENCE_MS = 200;

    private final ThreadPoolExecutor threads;

    /** Creates one that has no thread yet. */
    public Disposal() {
        this(task -> {
            Thread thread = new Thread(task, "pd-disposal");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Creates one that has no thread yet.
     *
     * @param factory makes its threads
     */
    public Disposal(ThreadFactory factory) {
        threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Closes something soon; at once if this process can have no thread for it, which is no error.
     *
     * @param stranger what to close
     * @param afterwards runs when that is done, as a rule on another thread
     */
    public void close(AutoCloseable stranger, Runnable afterwards) {
        Runnable task = () -> {
            closeNow(stranger);
            afterwards.run();
        };
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.get().log(Level.DEBUG, "left to the kernel to close: {0}", stranger);
        } catch (RuntimeException | Error e) {
            LOG.get().log(Level.DEBUG, "no thread to close what is not wanted: {0}", e.toString());
            leave(task);
        }
    }

    /** Another thread could not be had: one that there is takes the task when it can. */
    private void leave(Runnable task) {
        threads.getQueue().add(task);
        if (threads.getPoolSize() == 0 && threads.getQueue().remove(task)) {
            task.run();
        }
    }

    /**
     * Closes something soon.
     *
     * @param stranger what to close
     */
    public void close(AutoCloseable stranger) {
        close(stranger, () -> {});
    }

    private static void closeNow(AutoCloseable stranger) {
        try {
            stranger.close();
        } catch (Exception e) {
            LOG.get().log(Level.WARNING, "cannot close " + stranger, e);
        }
    }

    /** Waits a moment for what is being closed; what takes longer is left to its thread. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                LOG.get()
                        .log(
                                Level.WARNING,
                                "descriptors of other processes are still being closed: {0}",
                                threads.getQueue().size() + threads.getActiveCount());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
