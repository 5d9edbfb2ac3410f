// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.wait.OnDemandThread;
import java.util.function.BooleanSupplier;

/**
 * Joins the next driver while this process has links that the last one has introduced: a program that only uses them
 * calls nothing that could look for a driver. A thread tries, as long as that is so. Thread safe.
 */
final class Rejoining {
    private static final long SHORTEST_MS = 200;
    private static final long LONGEST_MS = 5_000;

    private final Runnable join;
    private final OnDemandThread thread;

    /** Before the next attempt. */
    private volatile long pauseMs;

    /**
     * Creates it without a thread.
     *
     * @param join tries to join a driver
     * @param over whether this process has joined one, or has no such link
     */
    Rejoining(Runnable join, BooleanSupplier over) {
        this.join = join;
        this.thread = new OnDemandThread("pd-rejoin", this::tryToJoin, over);
    }

    /** Starts to look for a driver. */
    void begin() {
        pauseMs = SHORTEST_MS;
        thread.begin();
    }

    private void tryToJoin() {
        long pause = pauseMs;
        pauseMs = Math.min(2 * pause, LONGEST_MS);
        OnDemandThread.sleep(pause);
        join.run();
    }
}
