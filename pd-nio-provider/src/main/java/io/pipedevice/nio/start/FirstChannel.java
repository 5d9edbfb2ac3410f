// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import java.util.concurrent.atomic.AtomicReference;

/** What the agent leaves to be done when the program opens its first channel. Thread safe. */
public final class FirstChannel {
    private static final AtomicReference<Runnable> TASK = new AtomicReference<>();

    private FirstChannel() {}

    /**
     * Has a task run before the first channel is opened.
     *
     * @param task runs once, in the thread that opens the channel
     */
    public static void runBefore(Runnable task) {
        TASK.set(task);
    }

    /** A channel is about to be opened. */
    static void opens() {
        if (TASK.getPlain() != null) {
            Runnable task = TASK.getAndSet(null);
            if (task != null) {
                task.run();
            }
        }
    }
}
