// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

/**
 * The end of a call, which {@link Calls#poll} writes here: a program that polls often uses one again and again. Used by
 * one thread at a time.
 */
public final class CallCompletion {
    long id;
    long result;
    Status status = Status.OK;
    Place place = Place.AUTO;
    long delayNs;

    /** Creates one for {@link Calls#poll}. */
    public CallCompletion() {}

    /**
     * Which call has ended.
     *
     * @return the id with which it was posted
     */
    public long id() {
        return id;
    }

    /**
     * The result of the function.
     *
     * @return any value; 0 if the call has failed
     */
    public long result() {
        return result;
    }

    /**
     * How it ended.
     *
     * @return OK, or why there is no result
     */
    public Status status() {
        return status;
    }

    /**
     * Where the call began.
     *
     * @return not AUTO
     */
    public Place place() {
        return place;
    }

    /**
     * How long the call waited before it began; where it ran in this process, how long it waited for an operation on
     * average.
     *
     * @return in nanoseconds, at most 4.3 s
     */
    public long delayNs() {
        return delayNs;
    }

    @Override
    public String toString() {
        return "call " + id + ": " + status.text() + ", " + result;
    }
}
