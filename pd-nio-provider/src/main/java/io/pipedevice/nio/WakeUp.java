// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The protocol between a thread that waits and those that wake it. The waiter announces that it sleeps and then looks
 * whether somebody has called; who calls says so and then looks whether the waiter sleeps. Either the waiter sees the
 * call, or the caller sees the sleeper and raises its flag. Thread safe.
 */
final class WakeUp {
    private final AtomicBoolean called = new AtomicBoolean();
    private volatile boolean asleep;

    /** Calls the waiter, or the next one; whether its flag must be raised. */
    boolean call() {
        return !called.getAndSet(true) && asleep;
    }

    /** Whether the flag must be raised for news that were published before, and that the waiter looks at itself. */
    boolean isAsleep() {
        return asleep;
    }

    /**
     * The waiter announces that it sleeps, and looks again; whether it may. {@link #awake} has to follow.
     *
     * @param pending news that keep it awake, besides calls
     */
    boolean maySleep(BooleanSupplier pending) {
        asleep = true;
        // In this order: who wakes looks whether the waiter sleeps.
        return !isCalled() && !pending.getAsBoolean();
    }

    void awake() {
        asleep = false;
    }

    boolean isCalled() {
        return called.get();
    }

    /** The waiter leaves: calls until now are answered. Whether there were any. */
    boolean answer() {
        return called.get() && called.getAndSet(false);
    }
}
