// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.operation.OperationRequest;

/** Executes the calls of a process. Belongs to the driver's thread. */
public interface CallExecutor {
    /** A queue pair that has posted a call. */
    interface Caller {
        /**
         * A call has ended.
         *
         * @param id of the call
         * @param value its result
         * @param status one of {@link io.pipedevice.active.operation.OperationStatus}
         * @param delayNs from its post to its beginning
         */
        void ended(long id, long value, int status, int delayNs);

        /** There may be room for a call again, or a call has to end that waits for room. */
        void roomForCalls();
    }

    /**
     * Whether another call may begin; if not, the caller is notified when one may, or the call has to end.
     *
     * @param caller wants to begin a call
     * @param operation the call
     * @return false if too much is under way for the process
     */
    boolean hasRoom(Caller caller, OperationRequest operation);

    /**
     * Begins a call, for which there is {@link #hasRoom room}.
     *
     * @param operation nothing in it was checked
     * @param caller is notified of the end, maybe at once
     * @param nowNs the time
     */
    void begin(OperationRequest operation, Caller caller, long nowNs);

    /**
     * Takes back the calls that the process has served for others, and ends those that have not ended in their time.
     *
     * @param nowNs the time
     */
    void look(long nowNs);

    /**
     * The time until a call may have to end.
     *
     * @param nowNs the time
     * @return in nanoseconds, at least 1; {@link Long#MAX_VALUE} if no call has a limit
     */
    long limitNs(long nowNs);

    /**
     * Whether calls can continue at the device.
     *
     * @return whether a turn would do something
     */
    boolean wantsTurn();

    /**
     * Goes on with calls, one after the other, until the turn is over.
     *
     * @return the next need
     */
    Need turn();

    /**
     * Whether there are calls to take back.
     *
     * @return whether the driver must not sleep
     */
    boolean hasReturns();

    /** Begins no calls any more, and forgets those that are under way, because the process is gone. */
    void leave();
}
