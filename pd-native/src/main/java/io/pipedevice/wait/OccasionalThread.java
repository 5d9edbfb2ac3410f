// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A daemon thread for tasks that are rare: it does one after the other, and ends when there was none for a second. */
public final class OccasionalThread {
    private OccasionalThread() {}

    /**
     * Creates one, which begins with the first task.
     *
     * @param name of the thread
     * @param queue of the tasks; one that does not fit is rejected
     * @return the executor, for the caller to shut down
     */
    public static ThreadPoolExecutor create(String name, BlockingQueue<Runnable> queue) {
        ThreadFactory factory = Thread.ofPlatform().name(name).daemon().factory();
        ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, queue, factory);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
