// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.LazyLogger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Joins the next driver while this process has links that the last one has introduced: a program that only uses them
 * calls nothing that could look for a driver. A thread tries, as long as that is so. Thread safe.
 */
final class Rejoining {
    private static final LazyLogger LOG = new LazyLogger(Rejoining.class);
    private static final long SHORTEST_MS = 200;
    private static final long LONGEST_MS = 5_000;

    private final Runnable join;
    private final BooleanSupplier over;

    /** Null while there is none; guarded by this object's monitor. */
    private Thread thread;

    /**
     * Creates it without a thread.
     *
     * @param join tries to join a driver
     * @param over whether this process has joined one, or has no such link
     */
    Rejoining(Runnable join, BooleanSupplier over) {
        this.join = join;
        this.over = over;
    }

    /** Starts to look for a driver. */
    synchronized void begin() {
        if (thread != null || over.getAsBoolean()) {
            return;
        }
        thread = new Thread(this::look, "pd-rejoin");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            // The next connection that the driver introduces joins it.
            thread = null;
            LOG.get().log(Level.DEBUG, "no thread waits for the driver: {0}", e.getMessage());
        }
    }

    private void look() {
        try {
            for (long pauseMs = SHORTEST_MS; !endIfOver(); pauseMs = Math.min(2 * pauseMs, LONGEST_MS)) {
                TimeUnit.MILLISECONDS.sleep(pauseMs);
                join.run();
            }
        } catch (InterruptedException e) {
            throw new AssertionError("no thread can interrupt this one", e);
        } finally {
            ended();
        }
    }

    /** This thread ends, perhaps by an error. */
    private synchronized void ended() {
        if (Thread.currentThread().equals(thread)) {
            thread = null;
        }
    }

    private synchronized boolean endIfOver() {
        if (over.getAsBoolean()) {
            thread = null;
            return true;
        }
        return false;
    }
}
