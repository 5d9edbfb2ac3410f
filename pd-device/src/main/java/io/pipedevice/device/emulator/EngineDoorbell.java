// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets the driver wake the engine's thread. Does nothing while that thread is awake.
 *
 * <p>Sleeper: {@link #announce}, look for work again, park, {@link #awake}. Waker: publish the work, then
 * {@link #ring}. Both fence between their store and their load, so that either the sleeper sees the work or the waker
 * sees the sleeper. If one of the fences is missing, a wake-up can be lost.
 */
final class EngineDoorbell {
    private static final VarHandle SLEEPER;

    static {
        try {
            SLEEPER = MethodHandles.lookup().findVarHandle(EngineDoorbell.class, "sleeper", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile Thread sleeper;

    /** Announces that the calling thread is about to park. */
    void announce() {
        SLEEPER.setRelease(this, Thread.currentThread());
        VarHandle.fullFence();
    }

    /** Ends the sleep, or the announcement of one. */
    void awake() {
        SLEEPER.setRelease(this, (Thread) null);
    }

    /**
     * Wakes the sleeper, after the caller's work was published. Rings once for each announcement.
     *
     * @return whether there was one
     */
    boolean ring() {
        VarHandle.fullFence();
        Thread thread = sleeper;
        if (thread == null || !SLEEPER.compareAndSet(this, thread, (Thread) null)) {
            return false;
        }
        LockSupport.unpark(thread);
        return true;
    }
}
