// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The protocol between a thread that waits and the threads that wake it. The waiter announces that it sleeps, and then
 * checks for calls. A caller publishes its call, and then checks whether the waiter sleeps. Either the waiter sees the
 * call, or the caller sees that the waiter sleeps, and raises its flag. Thread safe.
 */
final class WakeUp {
    private final AtomicBoolean called = new AtomicBoolean();
    private volatile boolean asleep;

    /** Calls the waiter, or the next one; whether the caller must raise the waiter's flag. */
    boolean call() {
        return !called.getAndSet(true) && asleep;
    }

    /** Whether the caller must raise the flag for a change that it has published, and that the waiter checks itself. */
    boolean isAsleep() {
        return asleep;
    }

    /**
     * The waiter announces that it sleeps, and checks again; whether it may sleep. {@link #awake} has to follow.
     *
     * @param pending a condition that keeps it awake, besides calls
     */
    boolean maySleep(BooleanSupplier pending) {
        asleep = true;
        // In this order: a caller publishes its call before it checks whether the waiter sleeps.
        return !isCalled() && !pending.getAsBoolean();
    }

    void awake() {
        asleep = false;
    }

    boolean isCalled() {
        return called.get();
    }

    /** The waiter consumes the calls that were made until now; whether there were any. */
    boolean answer() {
        return called.get() && called.getAndSet(false);
    }
}
