// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.extension;

import io.pipedevice.driver.control.ControlRequest;
import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.control.Reply;
import io.pipedevice.driver.data.AttachedProcess;

/**
 * Work of the driver beside sockets: messages of its own on the control connections of attached processes, and a turn
 * in each duty cycle. All methods are called on the driver's thread, {@link #stop} and then {@link #close} when the
 * driver ends.
 */
public interface DriverExtension {
    /**
     * Whether a message is handled here.
     *
     * @param type of a message, any value
     * @return true if {@link #handle} takes it
     */
    boolean handles(int type);

    /**
     * Whether descriptors may come along with a message.
     *
     * @param type that is handled here
     * @return false to end the session of a process that sends some
     */
    boolean mayCarryDescriptors(int type);

    /**
     * Handles a message.
     *
     * @param request of an attached process, of a type that is {@linkplain #handles handled here}
     * @return the answer, which may come later
     * @throws Refusal if it is invalid, not permitted, or beyond a limit
     */
    Reply handle(ControlRequest request) throws Refusal;

    /**
     * Does the work of a duty cycle, for a bounded time.
     *
     * @param nowNs the time
     * @return how much was done
     */
    int work(long nowNs);

    /** Wakes threads of processes for what was done since the last call. Called at the end of a duty cycle. */
    void wake();

    /**
     * Takes over what other threads have finished. Called whenever control connections are served.
     *
     * @return how much was done
     */
    int finish();

    /**
     * Whether {@link #work} has something to do now. Called after the driver has announced that it will sleep, so that
     * a process that posts later wakes it.
     *
     * @return true if the driver must not sleep
     */
    boolean isBusy();

    /**
     * How long the driver may sleep.
     *
     * @param nowNs the time
     * @return in nanoseconds, until the next work that no event announces; {@link Long#MAX_VALUE} for no limit
     */
    long waitNs(long nowNs);

    /** Applies a policy that has changed. */
    void policyChanged();

    /**
     * Ends what belongs to a process, and takes no more of its requests.
     *
     * @param process that has ended or is detached, any
     */
    void leave(AttachedProcess process);

    /**
     * Releases what a process had, if nothing of it is in use any more.
     *
     * @param process for which {@link #leave} was called
     * @return false if this must be called again later
     */
    boolean release(AttachedProcess process);

    /** Ends the threads of this extension. The device is still open. */
    void stop();

    /** Releases everything. The device is closed. */
    void close();
}
