// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;

/**
 * A lane of a GPU. Commands are checked here, because an address that is not mapped would cost the GPU its context.
 *
 * <pre>
 *   taken               completed              submitted
 *  ---+---------------------+----------------------+-----
 *     | have their status   | are with the GPU, or have a status and wait for one that is |
 * </pre>
 */
final class CudaLane implements DeviceLane {
    /** In place of a status: the GPU has the command. */
    private static final int WITH_GPU = -1;

    private final CudaDevice device;
    private final CudaMemory memory;
    private final CopyQueue queue;
    private final int depth;
    private final int maxTransfer;

    /** Commands and their status, by position modulo the depth. */
    private final Command[] commands;

    private final int[] status;
    private long taken;
    private long completed;
    private long submitted;

    /** Copies posted to the queue, and those of them that are completed, since it was empty. */
    private long posted;

    private long seen;

    CudaLane(CudaDevice device, CudaMemory memory, CopyQueue queue, int depth, int maxTransfer) {
        this.device = device;
        this.memory = memory;
        this.queue = queue;
        this.depth = depth;
        this.maxTransfer = maxTransfer;
        this.commands = Command.array(depth);
        this.status = new int[depth];
    }

    CopyQueue queue() {
        return queue;
    }

    @Override
    public boolean submit(Command command) {
        if (submitted - taken == depth) {
            return false;
        }
        int slot = slot(submitted);
        commands[slot].set(command);
        status[slot] = check(command);
        if (status[slot] == WITH_GPU) {
            queue.post(command.source(), command.destination(), command.length());
            posted++;
        }
        submitted++;
        return true;
    }

    private int check(Command command) {
        if (command.type() != CommandType.SEND) {
            return CommandType.STATUS_TYPE;
        }
        if (command.length() < 1 || command.length() > maxTransfer) {
            return CommandType.STATUS_LENGTH;
        }
        boolean mapped = memory.contains(command.source(), command.length(), Access.READ)
                && memory.contains(command.destination(), command.length(), Access.WRITE);
        return mapped ? WITH_GPU : CommandType.STATUS_ADDRESS;
    }

    @Override
    public void flush() {
        if (posted != seen) {
            device.flush(queue);
        }
    }

    @Override
    public boolean complete(Command into) {
        if (taken == completed && !look()) {
            return false;
        }
        int slot = slot(taken);
        into.set(commands[slot]).complete(status[slot]);
        taken++;
        return true;
    }

    /** Looks for completed commands. If none has completed, lets the GPU work on the submitted ones. */
    private boolean look() {
        if (completed == submitted) {
            return false;
        }
        complete(queue.finished(), WITH_GPU);
        if (taken != completed) {
            return true;
        }
        flush();
        return false;
    }

    /**
     * Completes the commands that the GPU has finished; and those that it will not finish, if there is a status for
     * them.
     */
    private void complete(long finished, int unfinished) {
        while (completed != submitted) {
            int slot = slot(completed);
            if (status[slot] == WITH_GPU) {
                if (seen < finished) {
                    status[slot] = CommandType.STATUS_OK;
                    seen++;
                } else if (unfinished != WITH_GPU) {
                    status[slot] = unfinished;
                } else {
                    return;
                }
            }
            completed++;
        }
    }

    /** Whether the GPU has commands that are not finished. */
    boolean isBusy() {
        return posted != queue.finished();
    }

    @Override
    public void flushCompletions() {
        // Slots are free again when their commands are taken.
    }

    /** A GPU interrupts no processor: the driver stays awake for the few microseconds that a copy takes. */
    @Override
    public boolean requestInterrupt() {
        return outstanding() == 0;
    }

    @Override
    public void cancelInterrupt() {
        // There is none.
    }

    /** Completes what the GPU did not finish. The queue is stopped, or its context is no more. */
    void afterReset() {
        complete(queue.finished(), CommandType.STATUS_RESET);
        posted = 0;
        seen = 0;
    }

    @Override
    public int outstanding() {
        return (int) (submitted - taken);
    }

    private int slot(long position) {
        return (int) position & depth - 1;
    }
}
