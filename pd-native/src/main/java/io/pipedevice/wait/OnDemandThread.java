// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.linux.LazyLogger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A daemon thread that exists only while there is something to do, which it does in turns. Thread safe. */
public final class OnDemandThread {
    private static final LazyLogger LOG = new LazyLogger(OnDemandThread.class);

    private final String name;
    private final Runnable turn;
    private final BooleanSupplier over;

    /** The running thread, or null. Guarded by this object's monitor. */
    private Thread thread;

    /**
     * Creates it without a thread.
     *
     * @param name of the thread
     * @param turn the work of the thread, done again and again; it waits, by {@link #sleep} or
     *     {@link LockSupport#parkNanos}
     * @param over whether there is nothing to do; called before each turn, and by {@link #begin}, under this object's
     *     monitor; takes no lock
     */
    public OnDemandThread(String name, Runnable turn, BooleanSupplier over) {
        this.name = name;
        this.turn = turn;
        this.over = over;
    }

    /**
     * There may be something to do. Starts the thread, or ends its {@link LockSupport#parkNanos}.
     *
     * @return false if there is something to do, and no thread can be started at present
     */
    public synchronized boolean begin() {
        if (thread != null) {
            LockSupport.unpark(thread);
            return true;
        }
        if (over.getAsBoolean()) {
            return true;
        }
        Thread started = Thread.ofPlatform()
                .name(name)
                .daemon()
                .inheritInheritableThreadLocals(false)
                .unstarted(this::run);
        started.setContextClassLoader(ClassLoader.getSystemClassLoader());
        try {
            started.start();
        } catch (OutOfMemoryError e) {
            LOG.get().log(Level.DEBUG, "no thread {0}: {1}", name, e.getMessage());
            return false;
        }
        thread = started;
        return true;
    }

    /**
     * Waits, in a turn.
     *
     * @param millis the time
     */
    public static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError("no thread can interrupt this one", e);
        }
    }

    private void run() {
        try {
            while (!endIfOver()) {
                turn.run();
            }
        } finally {
            ended();
        }
    }

    private synchronized boolean endIfOver() {
        if (over.getAsBoolean()) {
            thread = null;
            return true;
        }
        return false;
    }

    /** This thread ends, perhaps by an error, after which a later call starts another one. */
    private synchronized void ended() {
        if (Thread.currentThread().equals(thread)) {
            thread = null;
        }
    }
}
