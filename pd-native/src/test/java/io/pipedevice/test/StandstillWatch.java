// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import java.util.concurrent.TimeUnit;

/**
 * Prints what a JVM does that a thread waits for, if it has not answered for minutes. One thread waits at a time; the
 * watch has a thread of its own until it is closed.
 */
public final class StandstillWatch implements AutoCloseable {
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(2);
    private static final long LOOK_MS = 5_000;

    private final long pid;
    private final Thread thread;
    private volatile boolean waits;

    /** When the wait began. Written before {@link #waits}. */
    private volatile long sinceNs;

    /** Watches a process. */
    public StandstillWatch(long pid) {
        this.pid = pid;
        thread = Thread.ofPlatform().daemon().name("watch of " + pid).start(this::look);
    }

    /** A thread begins to wait for an answer. */
    public void begin() {
        sinceNs = System.nanoTime();
        waits = true;
    }

    /** The answer has come. */
    public void end() {
        waits = false;
    }

    private void look() {
        try {
            while (!waits || System.nanoTime() - sinceNs < LONG_NS) {
                Thread.sleep(LOOK_MS);
            }
            System.err.println(Standstill.of(pid));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
