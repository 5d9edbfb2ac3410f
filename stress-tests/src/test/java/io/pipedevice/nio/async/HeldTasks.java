// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** An executor that runs nothing, as if all its threads were busy. Thread safe. */
final class HeldTasks extends AbstractExecutorService {
    private volatile boolean hasTask;

    /** Whether it was asked to run a task. */
    boolean hasTask() {
        return hasTask;
    }

    @Override
    public void execute(Runnable task) {
        hasTask = true;
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return false;
    }
}
