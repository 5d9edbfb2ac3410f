// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.util.concurrent.Future;

/**
 * Looks once or more often, the last time not before a time that the owner has asked for. An operation that completes in
 * time leaves it as it is, so that the next operation, which has a later end, need not wake the timer's thread. Guarded
 * by a monitor of its owner.
 */
final class Alarm {
    private final Runnable look;

    /** Null if none is set. */
    private Future<?> next;

    /** When it looks, by {@link System#nanoTime}. */
    private long atNs;

    /** @param look runs on the timer's thread; calls {@link #rang} first */
    Alarm(Runnable look) {
        this.look = look;
    }

    /**
     * Makes it look at a time or before.
     *
     * @param deadlineNs by {@link System#nanoTime}
     * @param nowNs the time now
     */
    void set(long deadlineNs, long nowNs) {
        if (next != null && deadlineNs - atNs >= 0) {
            return;
        }
        cancel();
        atNs = deadlineNs;
        next = Timeouts.schedule(look, deadlineNs - nowNs);
    }

    /** It looks now. */
    void rang() {
        next = null;
    }

    /** Makes it look no more. */
    void cancel() {
        if (next != null) {
            next.cancel(false);
            next = null;
        }
    }
}
