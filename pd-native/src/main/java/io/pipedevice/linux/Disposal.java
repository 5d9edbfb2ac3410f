// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.System.Logger.Level;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
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
    private static final System.Logger LOG = System.getLogger(Disposal.class.getName());
    private static final int THREADS = 64;
    private static final long IDLE_S = 1;
    private static final long CLOSE_PATIENCE_MS = 200;

    private final ThreadPoolExecutor threads;

    /** Creates one that has no thread yet. */
    public Disposal() {
        threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "pd-disposal");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Closes something soon.
     *
     * @param stranger what to close
     * @param afterwards runs when that is done, on another thread
     */
    public void close(AutoCloseable stranger, Runnable afterwards) {
        try {
            threads.execute(() -> {
                closeNow(stranger);
                afterwards.run();
            });
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "left to the kernel to close: {0}", stranger);
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
            LOG.log(Level.WARNING, "cannot close " + stranger, e);
        }
    }

    /** Waits a moment for what is being closed; what takes longer is left to its thread. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                LOG.log(
                        Level.WARNING,
                        "descriptors of other processes are still being closed: {0}",
                        threads.getQueue().size() + threads.getActiveCount());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
