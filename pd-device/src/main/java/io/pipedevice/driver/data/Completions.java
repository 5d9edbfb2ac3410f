// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.device.Device;
import io.pipedevice.driver.data.CopyScheduler.Faults;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;

/**
 * Submits commands to the device's {@link Lanes}, and turns their completions into readable bytes and reusable blocks
 * (§3.5). It trusts no completion: one that matches no submitted command ends its connection at most. Belongs to the
 * driver's thread.
 */
public final class Completions {
    private static final LimitedLog FAILED =
            LimitedLog.error(Completions.class, "error in the handling of a completion");

    /** Means that a socket had no command in flight at the last check. */
    private static final long NOTHING = -1;

    private final ConnectionTable connections;
    private final Notifier notifier;
    private final FaultyProcesses faulty;
    private final DriverCounters counters;
    private final Command command = new Command();
    private final Lanes lanes;

    /** The process for which a completion is being handled; null if that is not known. */
    private AttachedProcess served;

    /** Gets the completions of {@link #tableId}; set once, before the first command. Null if there is none. */
    private Table table;

    private int tableId;

    /**
     * Takes completions of a device.
     *
     * @param device executes the commands
     * @param connections the connections that completions name
     * @param notifier is informed of the sockets that change
     * @param faulty is informed of processes for which a completion cannot be handled
     * @param counters of the driver
     */
    public Completions(
            Device device,
            ConnectionTable connections,
            Notifier notifier,
            FaultyProcesses faulty,
            DriverCounters counters) {
        this.connections = connections;
        this.notifier = notifier;
        this.faulty = faulty;
        this.counters = counters;
        this.lanes = new Lanes(device);
    }

    /** Commands that are not those of sockets. Belongs to the driver's thread. */
    interface Table {
        /** Handles a completion of one of these commands, which may be of any content otherwise. */
        void completed(int lane, Command completion);

        /**
         * The number of commands that were under way at the last call already. Between calls a device completes a
         * command.
         */
        int stuck();

        /** Ends all commands, because the device lost them in its reset, or was closed. */
        void forget();
    }

    /** Sets what gets the completions of a table id that is not one of sockets. */
    void table(int id, Table commands) {
        assert id > 1 && table == null;
        tableId = id;
        table = commands;
    }

    /** The device's lanes. */
    Lanes lanes() {
        return lanes;
    }

    /** Submits a command to a lane that has room; false if the device refuses it. */
    boolean submit(int lane, Command next, Endpoint sender) {
        if (!lanes.submit(lane, next)) {
            counters.deviceErrors.add(1);
            return false;
        }
        sender.inFlight++;
        return true;
    }

    /**
     * Takes completions.
     *
     * @param faults is informed of connections for which a command of the device failed
     * @return how many completions were taken
     */
    public int complete(Faults faults) {
        if (outstanding() == 0) {
            return 0;
        }
        int taken = 0;
        for (int lane = 0; lane < lanes.count(); lane++) {
            while (lanes.poll(lane, command)) {
                taken++;
                served = null;
                try {
                    completed(lane, faults);
                } catch (RuntimeException | Error e) {
                    failed(e);
                }
            }
            lanes.flushCompletions(lane);
        }
        return taken;
    }

    private void failed(Throwable e) {
        counters.deviceErrors.add(1);
        if (served == null) {
            FAILED.log(e);
        } else {
            faulty.failed(served, "a completion", e);
        }
    }

    /** Names the process that the following work is for, and that is detached if the work fails. */
    void serves(AttachedProcess process) {
        served = process;
    }

    private void completed(int lane, Faults faults) {
        if (table != null && command.tableId() == tableId && command.type() == CommandType.COMPLETED) {
            table.completed(lane, command);
            return;
        }
        Connection connection = connections.get(command.connectionId());
        if (connection == null || command.type() != CommandType.COMPLETED || command.tableId() > 1) {
            counters.deviceErrors.add(1);
            return;
        }
        Endpoint sender = connection.side(command.tableId());
        Endpoint receiver = sender.peer;
        if (sender.inFlight == 0 || sender.process.cid != command.containerId()) {
            counters.deviceErrors.add(1);
            return;
        }
        served = receiver.process;
        int entry = command.entrySequence();
        long before = receiver.received.produced();
        boolean fits = command.length() == receiver.received.size(entry)
                && command.destination() == receiver.receiveBase + receiver.received.pointer(entry);
        if (!fits || !receiver.received.complete(entry)) {
            counters.deviceErrors.add(1);
            faults.failed(connection, Errno.EIO, "the device completed a command that was not submitted");
            return;
        }
        lanes.completed(lane, command.length());
        sender.inFlight--;
        sender.completions++;
        served = sender.process;
        if (command.tag() != CommandType.STATUS_OK) {
            counters.deviceErrors.add(1);
            faults.failed(connection, Errno.EIO, "the device failed with status " + command.tag());
        } else if (!sender.reset) {
            deliver(sender, receiver, command.length(), (int) (receiver.received.produced() - before), faults);
        }
        if (sender.inFlight == 0) {
            faults.quiesced(sender);
        }
    }

    /** Makes {@code ready} bytes readable; it is 0 while an earlier copy is not completed. */
    private void deliver(Endpoint sender, Endpoint receiver, int length, int ready, Faults faults) {
        counters.bytes.add(length);
        sender.process.counters.sent(length);
        receiver.process.counters.received(length);
        if (ready == 0) {
            return;
        }
        served = receiver.process;
        receiver.slot.produced(receiver.received.produced());
        notifier.touch(receiver, Notifier.IN);
        served = sender.process;
        int posts = sender.sends.completed(ready);
        if (posts > 0) {
            sender.sendsCompleted += posts;
            sender.slot.sendsCompleted(sender.sendsCompleted);
            notifier.touch(sender, Notifier.OUT);
        }
        if (sender.outputShut && sender.sends.isEmpty()) {
            faults.drained(sender);
        }
    }

    /**
     * Ends the connections that have had commands in flight, and no completion, since the last call. Between calls the
     * caller waits long enough for a working device to complete a command. The connections keep their rings until the
     * device is reset, because it may still access them.
     *
     * @return the number of sockets and copies between regions that wait for a lost command
     */
    int failStuck(Faults faults) {
        int stuck = table == null ? 0 : table.stuck();
        for (Connection connection : connections.all()) {
            stuck += isStuck(connection, connection.client, faults) ? 1 : 0;
            stuck += isStuck(connection, connection.server, faults) ? 1 : 0;
        }
        return stuck;
    }

    private boolean isStuck(Connection connection, Endpoint sender, Faults faults) {
        boolean stuck = sender.inFlight > 0 && sender.completionsSeen == sender.completions;
        sender.completionsSeen = sender.inFlight > 0 ? sender.completions : NOTHING;
        if (stuck) {
            counters.deviceErrors.add(1);
            faults.failed(connection, Errno.EIO, "the device lost a command");
        }
        return stuck;
    }

    /**
     * Ends the connections whose commands the device lost in its reset. No socket waits for those commands any more.
     */
    void forgetOutstanding(Faults faults) {
        lanes.forget();
        if (table != null) {
            table.forget();
        }
        for (Connection connection : connections.all()) {
            for (Endpoint endpoint : new Endpoint[] {connection.client, connection.server}) {
                if (endpoint.inFlight > 0) {
                    endpoint.inFlight = 0;
                    faults.failed(connection, Errno.EIO, "the device lost a command");
                    faults.quiesced(endpoint);
                }
            }
        }
    }

    /** Ends all connections, because the device is lost and its lanes are gone. */
    void abandon(Faults faults) {
        lanes.abandon();
        forgetOutstanding(faults);
        for (Connection connection : connections.all()) {
            faults.failed(connection, Errno.EIO, "the device is lost");
        }
    }

    boolean isAbandoned() {
        return lanes.count() == 0;
    }

    /**
     * The number of commands that were submitted and are not completed.
     *
     * @return 0 or more
     */
    public int outstanding() {
        return lanes.outstanding();
    }

    /**
     * Requests an interrupt for the device's next completion.
     *
     * @return false if there already is a completion, or work for the calling thread
     */
    public boolean requestInterrupts() {
        return outstanding() == 0 || lanes.requestInterrupts();
    }

    /** Withdraws the request of {@link #requestInterrupts}. */
    public void cancelInterrupts() {
        lanes.cancelInterrupts();
    }
}
