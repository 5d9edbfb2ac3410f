// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.guard;

import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;

/**
 * A lane on which every command gets its completion, in order: the device's completion if it is the expected one, else
 * the emulator's.
 *
 * <pre>
 *   taken              done                 submitted
 *  ---+------------------+---------------------+-----
 *     | have a status    | are with the device |
 * </pre>
 */
final class GuardedLane implements DeviceLane {
    private final GuardedDevice guard;
    private final int index;
    private final int depth;

    /** Null if the device is out of service. */
    private DeviceLane device;

    /** Commands as they were submitted, and their results, by position modulo the depth. */
    private final Command[] commands;

    private final int[] status;
    private final Command reply = new Command();
    private long taken;
    private long done;
    private long submitted;

    /** Position that was done at the guard's last check, and the time of that check. */
    private long doneSeen;

    private long doneSeenNs = System.nanoTime();

    GuardedLane(GuardedDevice guard, int index, DeviceLane device, int depth) {
        this.guard = guard;
        this.index = index;
        this.device = device;
        this.depth = depth;
        this.commands = Command.array(depth);
        this.status = new int[depth];
    }

    @Override
    public boolean submit(Command command) {
        if (submitted - taken == depth || (device != null && !device.submit(command))) {
            return false;
        }
        commands[slot(submitted)].set(command);
        submitted++;
        return true;
    }

    @Override
    public void flush() {
        if (device != null) {
            device.flush();
        }
    }

    @Override
    public boolean complete(Command into) {
        if (taken == done && device != null && device.complete(reply)) {
            answered();
        }
        if (taken == done) {
            return false;
        }
        int slot = slot(taken);
        into.set(commands[slot]).complete(status[slot]);
        taken++;
        return true;
    }

    /** Handles a completion of the device. */
    private void answered() {
        if (done == submitted) {
            guard.broken("completed a command of lane " + index + " that was not submitted");
            return;
        }
        Command due = commands[slot(done)];
        if (!isCompletionOf(due)) {
            guard.broken("completed on lane " + index + " " + reply + " instead of " + due);
        } else if (reply.tag() == CommandType.STATUS_OK) {
            guard.copied(due.length());
            finish(CommandType.STATUS_OK);
        } else {
            guard.failed(reply.tag());
            tryAgain();
        }
    }

    private boolean isCompletionOf(Command due) {
        return reply.type() == CommandType.COMPLETED
                && reply.source() == due.source()
                && reply.destination() == due.destination()
                && reply.length() == due.length()
                && reply.containerId() == due.containerId()
                && reply.connectionId() == due.connectionId()
                && reply.tableId() == due.tableId()
                && reply.entrySequence() == due.entrySequence();
    }

    private void tryAgain() {
        guard.count(DeviceHealth.Event.RETRY);
        finish(guard.emulate(index, commands[slot(done)]));
    }

    private void finish(int result) {
        status[slot(done)] = result;
        done++;
    }

    /**
     * Executes all commands of the device in the emulator. The device was reset or is lost, and no longer touches their
     * memory.
     */
    void takeBack() {
        // The status does not matter now: a repeated copy has the same result.
        int most = 2 * depth;
        while (device != null && most > 0 && device.complete(reply)) {
            most--;
        }
        while (done < submitted) {
            tryAgain();
        }
    }

    /** Continues without the device. */
    void takeOutOfService() {
        device = null;
    }

    /** Executes the commands that were submitted since the device went out of service; returns how many. */
    int emulate(int most) {
        int executed = 0;
        while (device == null && done < submitted && executed < most) {
            finish(guard.emulate(index, commands[slot(done)]));
            executed++;
        }
        return executed;
    }

    /** Whether the device has had commands for longer than the timeout and completed none. */
    boolean isStuck(long nowNs, long timeoutNs) {
        if (doneSeen != done || done == submitted) {
            doneSeen = done;
            doneSeenNs = nowNs;
        }
        return nowNs - doneSeenNs > timeoutNs;
    }

    /** Restarts the timeout after a time in which the guard did not check the lane. */
    void lookedAway(long nowNs) {
        doneSeenNs = nowNs;
    }

    @Override
    public void flushCompletions() {
        if (device != null) {
            device.flushCompletions();
        }
    }

    @Override
    public boolean requestInterrupt() {
        if (taken != done || (device == null && done < submitted)) {
            return false;
        }
        return device == null || device.requestInterrupt();
    }

    @Override
    public void cancelInterrupt() {
        if (device != null) {
            device.cancelInterrupt();
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
