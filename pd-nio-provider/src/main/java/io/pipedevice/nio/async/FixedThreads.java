// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a group that has a fixed number of them: each polls and runs handlers. Run by each of them. */
final class FixedThreads implements Runnable {
    private final Polling polling;
    private final ExecutorService executor;

    /** The threads that are to run, or run. The last one closes the selector. */
    private final AtomicInteger threads;

    private FixedThreads(Polling polling, ExecutorService executor, int threads) {
        this.polling = polling;
        this.executor = executor;
        this.threads = new AtomicInteger(threads);
    }

    static void start(Polling polling, ExecutorService executor, int threads) {
        FixedThreads all = new FixedThreads(polling, executor, threads);
        for (int i = 0; i < threads; i++) {
            executor.execute(all);
        }
    }

    @Override
    public void run() {
        Invocation.enter(polling);
        boolean done = false;
        try {
            work();
            done = true;
        } catch (IOException e) {
            polling.finish();
            throw new IllegalStateException("the selector of a group of asynchronous channels failed", e);
        } finally {
            if (done) {
                leave();
            } else {
                replace();
            }
        }
    }

    private void work() throws IOException {
        int run = 0;
        while (true) {
            // In this order: tasks that were added before the end are run.
            boolean last = polling.isOver();
            Runnable task = run < Polling.TURN ? polling.next() : null;
            boolean polls = task == null && polling.tryTake();
            if (polls) {
                run = 0;
                task = polling.poll(Polling.FOREVER);
            }
            task = task == null ? polling.next() : task;
            if (task != null) {
                run++;
                polling.run(task);
            } else if (last) {
                return;
            } else if (!polls) {
                polling.standBy();
            }
        }
    }

    private void leave() {
        executor.shutdown();
        if (threads.decrementAndGet() == 0) {
            polling.end();
        }
    }

    /** A handler has thrown an exception, which ends this thread. As with the JDK, another one takes its place. */
    private void replace() {
        try {
            executor.execute(this);
        } catch (RejectedExecutionException e) {
            leave();
        }
    }
}
