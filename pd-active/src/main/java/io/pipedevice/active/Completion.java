// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

/**
 * The end of an operation, which {@link QueuePair#poll} writes here: a program that polls often uses one again and
 * again. Used by one thread at a time.
 */
public final class Completion {
    long id;
    long value;
    Status status = Status.OK;

    /** Creates one for {@link QueuePair#poll}. */
    public Completion() {}

    /**
     * Which operation has ended.
     *
     * @return the id with which it was posted
     */
    public long id() {
        return id;
    }

    /**
     * The value of the eight bytes before the operation; of a get, their value.
     *
     * @return 0 of operations that are not on eight bytes
     */
    public long value() {
        return value;
    }

    /**
     * How it ended.
     *
     * @return OK, or why it was not done
     */
    public Status status() {
        return status;
    }

    @Override
    public String toString() {
        return "operation " + id + ": " + status.text() + ", " + value;
    }
}
