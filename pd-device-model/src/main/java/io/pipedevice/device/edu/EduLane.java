// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.edu;

import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.device.pci.FunctionMemory;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;

/**
 * The only lane. The device has no queues, so this class holds them, and the driver's thread advances them.
 *
 * <pre>
 *   taken               completed              submitted
 *  ---+---------------------+----------------------+-----
 *     | have their status   | the first is copied  |
 * </pre>
 */
final class EduLane implements DeviceLane {
    private final EduEngine engine;
    private final FunctionMemory memory;
    private final int depth;
    private final Command[] commands;
    private long taken;
    private long completed;
    private long submitted;

    EduLane(EduEngine engine, FunctionMemory memory, int depth) {
        this.engine = engine;
        this.memory = memory;
        this.depth = depth;
        this.commands = Command.array(depth);
    }

    @Override
    public boolean submit(Command command) {
        if (submitted - taken == depth) {
            return false;
        }
        commands[slot(submitted)].set(command);
        submitted++;
        return true;
    }

    @Override
    public void flush() {
        step();
    }

    /** Completes the finished command, and begins the next one. */
    void step() {
        while (completed < submitted) {
            Command command = commands[slot(completed)];
            switch (engine.step()) {
                case IDLE -> {
                    int refused = check(command);
                    if (refused == CommandType.STATUS_OK) {
                        engine.copy(command.source(), command.destination(), command.length());
                        return;
                    }
                    complete(command, refused);
                }
                case DONE -> complete(command, wasCopied(command) ? CommandType.STATUS_OK : CommandType.STATUS_DEVICE);
                case FAILED -> complete(command, CommandType.STATUS_DEVICE);
                default -> {
                    return;
                }
            }
        }
    }

    /** Compares the bytes, because the device does not report whether the bus or the IOMMU refused its transfers. */
    private boolean wasCopied(Command command) {
        return memory.isCopied(command.source(), command.destination(), command.length());
    }

    private void complete(Command command, int status) {
        engine.idle();
        command.complete(status);
        completed++;
    }

    /** Checks a command here, because the device checks nothing and does not report accesses that the IOMMU refuses. */
    private int check(Command command) {
        if (command.type() != CommandType.SEND) {
            return CommandType.STATUS_TYPE;
        }
        if (command.length() < 1 || command.length() > EduDescriptor.MAX_TRANSFER) {
            return CommandType.STATUS_LENGTH;
        }
        boolean mapped = memory.contains(command.source(), command.length(), Access.READ)
                && memory.contains(command.destination(), command.length(), Access.WRITE);
        return mapped ? CommandType.STATUS_OK : CommandType.STATUS_ADDRESS;
    }

    @Override
    public boolean complete(Command into) {
        if (taken == completed) {
            return false;
        }
        into.set(commands[slot(taken)]);
        taken++;
        return true;
    }

    @Override
    public void flushCompletions() {
        step();
    }

    /** Requests no interrupt, because the device raises one at the end of each transfer anyway. */
    @Override
    public boolean requestInterrupt() {
        step();
        return taken == completed;
    }

    @Override
    public void cancelInterrupt() {
        // An unexpected interrupt does no harm.
    }

    /** Completes the remaining commands. The device executes nothing any more. */
    void afterReset() {
        while (completed < submitted) {
            complete(commands[slot(completed)], CommandType.STATUS_RESET);
        }
    }

    @Override
    public int outstanding() {
        return (int) (submitted - taken);
    }

    private int slot(long position) {
        return (int) position & (depth - 1);
    }
}
