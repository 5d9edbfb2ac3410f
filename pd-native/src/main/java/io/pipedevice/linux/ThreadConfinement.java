// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

/**
 * Asserts that state belongs to one thread: the first thread that checks. With assertions off it costs only a field.
 */
public final class ThreadConfinement {
    /** The id of the owning thread; 0 before the first check. */
    private volatile long owner;

    /** Creates an object that belongs to no thread yet. */
    public ThreadConfinement() {}

    /**
     * Whether the state may be used by this thread.
     *
     * @return true for the first thread that calls this, and for no other
     */
    public boolean isHeldByCurrentThread() {
        long current = Thread.currentThread().threadId();
        if (owner == 0) {
            owner = current;
        }
        return owner == current;
    }
}
