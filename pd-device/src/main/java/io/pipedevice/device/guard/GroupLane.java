// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.guard;

import io.pipedevice.device.DeviceLane;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;

/** A lane of a device whose addresses differ from the group's. */
final class GroupLane implements DeviceLane {
    private final DeviceLane lane;
    private final GuardedAddresses addresses;

    /** Commands as they were submitted, by position modulo the depth. Completions have the same order. */
    private final Command[] commands;

    private final Command translated = new Command();
    private final int depth;
    private long submitted;
    private long taken;

    GroupLane(DeviceLane lane, GuardedAddresses addresses, int depth) {
        this.lane = lane;
        this.addresses = addresses;
        this.depth = depth;
        this.commands = Command.array(depth);
    }

    @Override
    public boolean submit(Command command) {
        if (submitted - taken == depth) {
            return false;
        }
        translated.set(
                command.type(),
                addresses.translate(command.source()),
                addresses.translate(command.destination()),
                command.length(),
                command.containerId(),
                command.connectionId(),
                command.tableId(),
                command.entrySequence(),
                command.tag());
        if (!lane.submit(translated)) {
            return false;
        }
        commands[slot(submitted)].set(command);
        submitted++;
        return true;
    }

    @Override
    public void flush() {
        lane.flush();
    }

    @Override
    public boolean complete(Command into) {
        if (!lane.complete(translated)) {
            return false;
        }
        if (taken == submitted || translated.type() != CommandType.COMPLETED) {
            into.set(translated);
            return true;
        }
        into.set(commands[slot(taken)]).complete(translated.tag());
        taken++;
        return true;
    }

    @Override
    public void flushCompletions() {
        lane.flushCompletions();
    }

    @Override
    public boolean requestInterrupt() {
        return lane.requestInterrupt();
    }

    @Override
    public void cancelInterrupt() {
        lane.cancelInterrupt();
    }

    @Override
    public int outstanding() {
        return lane.outstanding();
    }

    private int slot(long position) {
        return (int) position & (depth - 1);
    }
}
