// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.lang.System.Logger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads of a group that runs its handlers by an executor of the program. A daemon thread of the group polls while
 * nothing happens. When it finds a task, the executor runs {@link #work}, which runs the task and polls for a moment
 * after it, so that no other thread has to be woken for the next one. While handlers take long, the daemon thread goes on
 * polling.
 *
 * <p>Run by the daemon thread; the other methods are thread safe.
 */
final class ExecutorThreads implements Runnable, HandOff {
    /** Time for which a thread of the executor polls after its last task. */
    private static final long LINGER_MS = 1;

    /** Pause before an executor that has refused a task is asked again. */
    private static final long REFUSED_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Pause between two selects while handlers wait for the executor. */
    private static final long BUSY_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Pause between two looks whether the last handlers have ended. */
    private static final long LEAVING_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Polling polling;
    private final ExecutorService executor;

    /** The threads of the executor that are inside, or are to come. */
    private final AtomicInteger workers = new AtomicInteger();

    /** Those that the executor has not run yet: at most one, so that a busy executor does not collect them. */
    private final AtomicInteger coming = new AtomicInteger();

    /** The thread of the group, and whether it polls. */
    private volatile Thread own;

    private volatile boolean ownPolls;

    ExecutorThreads(Polling polling, ExecutorService executor) {
        this.polling = polling;
        this.executor = executor;
    }

    static void start(Polling polling, ExecutorService executor) {
        ExecutorThreads threads = new ExecutorThreads(polling, executor);
        polling.handOffTo(threads);
        OwnThreads.create("pd-async", threads).start();
    }

    @Override
    public boolean start() {
        try {
            // Another thread that polls runs the task itself, after its select.
            return ownPolls && tryStartWorker();
        } catch (RuntimeException | Error e) {
            // An executor that fails, or has no memory: the thread of the group asks it again.
            return false;
        }
    }

    @Override
    public boolean isComing() {
        return coming.get() > 0;
    }

    @Override
    public void run() {
        own = Thread.currentThread();
        try {
            while (!polling.isOver() || (!executor.isTerminated() && (polling.hasTasks() || workers.get() > 0))) {
                if (polling.hasHandlers() || (polling.isOver() && polling.hasTasks())) {
                    startWorker();
                }
                if (polling.isOver()) {
                    LockSupport.parkNanos(this, LEAVING_NS);
                } else if (polling.hasHandlers() && !polling.isSlow()) {
                    polling.standBy();
                    pollWhileBusy();
                } else if (!poll()) {
                    polling.standBy();
                }
            }
        } catch (IOException e) {
            System.getLogger("io.pipedevice").log(Logger.Level.ERROR, "asynchronous channels stop: no selector", e);
        } finally {
            polling.finish();
            executor.shutdown();
            polling.end();
        }
    }

    /** Handlers wait for a thread of the executor, which may be busy for long. Futures do not need one. */
    private void pollWhileBusy() throws IOException {
        if (polling.hasHandlers() && !polling.isOver()) {
            polling.pause(BUSY_NS);
            poll();
        }
    }

    /** Polls if no other thread does; whether it did. Operations whose results are futures need no other thread. */
    boolean poll() throws IOException {
        if (!polling.tryTake()) {
            return false;
        }
        ownPolls = true;
        try {
            polling.pollForFutures(Polling.FOREVER, null);
        } finally {
            ownPolls = false;
        }
        return true;
    }

    private void startWorker() {
        if (!tryStartWorker()) {
            refused();
        }
    }

    /** Has the executor run a thread, unless one is on its way; whether the executor has accepted that. */
    private boolean tryStartWorker() {
        if (!coming.compareAndSet(0, 1)) {
            return true;
        }
        workers.incrementAndGet();
        boolean accepted = false;
        Thread starter = Thread.currentThread();
        try {
            executor.execute(() -> work(starter));
            accepted = true;
        } catch (RejectedExecutionException e) {
            return false;
        } finally {
            if (!accepted) {
                coming.set(0);
                workers.decrementAndGet();
            }
        }
        return true;
    }

    /** The executor is full, and the tasks wait; or the program has shut it down, and there is nothing to wait for. */
    private void refused() {
        if (executor.isShutdown()) {
            polling.finish();
            polling.dropTasks();
        } else {
            LockSupport.parkNanos(this, REFUSED_NS);
        }
    }

    /** Runs tasks, and polls after them, unless a thread of the program would do that which has begun an operation. */
    @SuppressWarnings("ReferenceEquality") // threads are equal to themselves alone
    private void work(Thread starter) {
        coming.set(0);
        if (starter == Thread.currentThread() && starter != own) {
            // The executor runs what it has no thread for in the thread that asks it.
            workers.decrementAndGet();
            polling.changed();
            polling.callIfNeeded();
            return;
        }
        Invocation.enter(polling);
        try {
            Runnable task = polling.next();
            if (task != null && polling.hasTasks() && !start()) {
                // This task may wait for the next one.
                polling.changed();
            }
            for (int run = 1; task != null; run++) {
                polling.run(task);
                task = run < Polling.TURN ? polling.next() : null;
                if (task == null && !polling.isOver() && polling.tryTake()) {
                    run = 0;
                    task = polling.poll(LINGER_MS);
                }
                task = task == null ? polling.next() : task;
            }
        } catch (IOException e) {
            // The thread of the group finds the same failure, and reports it.
            return;
        } finally {
            workers.decrementAndGet();
            polling.callIfNeeded();
        }
    }
}
