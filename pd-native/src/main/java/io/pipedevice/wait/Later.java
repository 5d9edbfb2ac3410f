// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs tasks after a time, on a thread of the JDK. For tasks that are rare, and do not wait. */
public final class Later {
    private Later() {}

    /**
     * Runs a task once.
     *
     * @param time from now on
     * @param unit of the time
     * @param task does not wait
     */
    public static void after(long time, TimeUnit unit, Runnable task) {
        CompletableFuture.delayedExecutor(time, unit, Runnable::run).execute(task);
    }
}
