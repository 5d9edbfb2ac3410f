// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device;

import io.pipedevice.queue.Command;

/**
 * A lane of a {@link Device}: one submission queue and one completion queue (§3.5), first in, first out.
 *
 * <p>At most {@link DeviceCapabilities#queueDepth} commands are outstanding on a lane, which is from their submission
 * until their completion is taken: so the completion queue of a device that works never overflows.
 *
 * <p>Used by the driver's thread only. Nothing here blocks, allocates or throws on the data path.
 */
public interface DeviceLane {
    /**
     * Puts a command into the submission queue. The device may see it at once, or not before {@link #flush}.
     *
     * @param command of type {@link io.pipedevice.queue.CommandType#SEND}; copied
     * @return false if the lane is full: flush, take completions, and try again
     */
    boolean submit(Command command);

    /** Makes everything that was submitted visible, and rings the device's doorbell if the device sleeps. */
    void flush();

    /**
     * Takes the next completion out of the completion queue.
     *
     * @param into receives the command as it was submitted, with type
     *     {@link io.pipedevice.queue.CommandType#COMPLETED} and its status as the tag
     * @return false if there is none
     */
    boolean complete(Command into);

    /** Gives the entries of completions that were taken back to the device. To be called after each run of them. */
    void flushCompletions();

    /**
     * Asks for one interrupt ({@link Device#onInterrupt}) when the next completion is posted, before the caller goes to
     * sleep. Announces the request first and looks at the queue afterwards, so that no completion is missed.
     *
     * @return true if the interrupt will come, once; false if there is something to do already ({@link #complete} or
     *     {@link Device#poll} has work), in which case nothing is requested
     */
    boolean requestInterrupt();

    /**
     * Withdraws a request, when the caller is awake for another reason. An interrupt that is on its way may still
     * come.
     */
    void cancelInterrupt();

    /**
     * Commands that were submitted and whose completion was not taken.
     *
     * @return 0 to the queue's depth
     */
    int outstanding();
}
