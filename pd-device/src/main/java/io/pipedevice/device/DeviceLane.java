// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device;

import io.pipedevice.queue.Command;

/**
 * A lane of a {@link Device}: one submission queue and one completion queue (§3.5), first in, first out.
 *
 * <p>At most {@link DeviceCapabilities#queueDepth} commands are outstanding on a lane. A command is outstanding from
 * its submission until its completion is taken, so the completion queue of a working device never overflows.
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

    /**
     * Returns the entries of taken completions to the device. The caller calls this after each run of
     * {@link #complete}.
     */
    void flushCompletions();

    /**
     * Requests one interrupt ({@link Device#onInterrupt}) for the next completion. The caller does this before it
     * sleeps. This announces the request first and checks the queue afterwards, so that no completion is missed.
     *
     * @return true if the interrupt will come, once; false if there is work already ({@link #complete} or
     *     {@link Device#poll} has some), in which case nothing is requested
     */
    boolean requestInterrupt();

    /**
     * Withdraws a request after the caller woke for another reason. An interrupt that is already under way may still be
     * delivered.
     */
    void cancelInterrupt();

    /**
     * The number of commands that were submitted and whose completion was not taken yet.
     *
     * @return 0 to the queue's depth
     */
    int outstanding();
}
