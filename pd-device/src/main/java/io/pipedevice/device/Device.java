// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * PD Stack (§3.5): executes commands that copy between pieces of memory, and posts a completion for each.
 *
 * <p>Threads: one thread at a time, the driver's, calls the methods of a device and of its lanes. Only that thread may
 * map, submit, complete and reset. The part that executes the commands (hardware, or an engine's thread) is internal to
 * the device, and communicates only through the queues. A device that has no processor of its own runs within
 * {@link #poll}.
 *
 * <p>Completions: each command that {@link DeviceLane#submit} accepted gets exactly one completion on the same lane:
 * the same entry with type {@link io.pipedevice.queue.CommandType#COMPLETED} and a {@code STATUS_} value as its tag.
 * Within a lane commands are executed and completed in the order of submission; lanes are independent of each other. A
 * thread that sees a completion also sees the copy. A command that failed may have written a part of its destination. A
 * broken device may violate any of this, so its user checks each completion against its own tables.
 *
 * <p>Memory: a command may name only mapped memory ({@link #map}). Any other address fails that command with
 * {@code STATUS_ADDRESS}, as an IOMMU would, and has no other effect.
 */
public interface Device extends AutoCloseable {
    /**
     * Name for logs and counters.
     *
     * @return short, the same during the device's life
     */
    String name();

    /**
     * The device's capabilities.
     *
     * @return the same during the device's life
     */
    DeviceCapabilities capabilities();

    /**
     * Makes memory reachable for commands.
     *
     * @param memory native memory. Its owner keeps it, and unmaps it before freeing it. If the owner frees it first,
     *     commands that name it fail, provided that the device can detect that
     * @param access whether commands may read it or write it
     * @return the mapping, which the caller closes
     * @throws IOException if the device has no room for another mapping
     * @throws IllegalArgumentException if the memory is not native, is misaligned for the device, is larger than the
     *     device can address, or is read-only although {@code access} is to write
     */
    DeviceMapping map(MemorySegment memory, DeviceMapping.Access access) throws IOException;

    /**
     * A lane.
     *
     * @param index 0 to {@link DeviceCapabilities#lanes}, exclusive
     * @return the same object each time, usable until the device is closed
     * @throws IndexOutOfBoundsException if there is no such lane
     */
    DeviceLane lane(int index);

    /**
     * Executes some of the pending commands, if the caller's thread has to run this device. The amount of work is
     * bounded, so that the caller can do other things. Never blocks.
     *
     * @return commands executed; 0 if there was nothing to do, and always 0 if the device runs by itself
     */
    int poll();

    /**
     * Sets the handler that is called when a lane has a completion for which an interrupt was requested
     * ({@link DeviceLane#requestInterrupt}). Must be set before the first request.
     *
     * @param handler called on any thread, also from within {@link #poll}; it only signals (an eventfd, an unpark), and
     *     neither blocks nor calls the device
     */
    void onInterrupt(Runnable handler);

    /**
     * The counts of completed work and of failures so far.
     *
     * @return one for each piece of hardware that this device consists of; the same during the device's life
     */
    List<DeviceHealth> health();

    /**
     * How long a lane of a working device may take without completing a command.
     *
     * @return in nanoseconds; 0 if any timeout of the user is long enough
     */
    default long patienceNs() {
        return 0;
    }

    /**
     * Brings the device back to its initial state. When this returns, the device executes nothing, and every command
     * submitted before has its completion in its lane: either the command was executed, or its status is
     * {@code STATUS_RESET}. The caller takes these completions as usual. If a completion is missing after a reset, a
     * broken device has lost the command. Mappings stay.
     *
     * @throws IOException if the device does not answer: it is lost, and may only be closed
     */
    void reset() throws IOException;

    /**
     * Stops the device and releases its memory. When this returns the device touches no mapped memory, and commands
     * that were not completed never will be. A second call does nothing. Lanes may not be used afterwards.
     */
    @Override
    void close();
}
