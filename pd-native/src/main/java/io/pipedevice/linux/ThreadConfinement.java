// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

/** For assertions that state belongs to one thread: the first that asks. With assertions off it costs only a field. */
public final class ThreadConfinement {
    /** A thread's id; 0 before the first. */
    private volatile long owner;

    /** Creates one that belongs to no thread yet. */
    public ThreadConfinement() {}

    /**
     * Whether the state may be used by this thread.
     *
     * @return true for the first thread that asks, and for no other
     */
    public boolean isHeldByCurrentThread() {
        long current = Thread.currentThread().threadId();
        if (owner == 0) {
            owner = current;
        }
        return owner == current;
    }
}
