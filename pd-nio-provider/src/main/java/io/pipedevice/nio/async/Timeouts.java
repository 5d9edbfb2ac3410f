// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Ends operations whose time is over, by one thread for all groups, which starts with the first timeout. */
final class Timeouts {
    private static final ScheduledThreadPoolExecutor TIMER =
            new ScheduledThreadPoolExecutor(1, task -> OwnThreads.create("pd-timeouts", task));

    static {
        // Channels that were closed must not be kept until then.
        TIMER.setRemoveOnCancelPolicy(true);
    }

    private Timeouts() {}

    static Future<?> schedule(Runnable end, long nanos) {
        return TIMER.schedule(end, nanos, TimeUnit.NANOSECONDS);
    }
}
