// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.ReceiveBufferTable;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;

/**
 * The data path of the driver (§3.5): takes posted sends, finds room in the receiver's ring, writes commands to the SQ
 * of the connection's lane, and turns completions into readable bytes and reusable blocks.
 *
 * <p>Sockets with something to copy take turns, each with a budget, so that one busy connection does not keep the others
 * waiting. A socket whose peer has no room leaves the round until the peer's process says that there is; one whose
 * container has used up its rate leaves it until the bucket has filled. Belongs to the driver's thread.
 */
final class CopyScheduler {
    private static final int TURN_BYTES = 256 << 10;

    /** What the scheduler cannot decide by itself. */
    interface Faults {
        /** A container broke a rule that only a hostile or broken process breaks. */
        void misbehaved(Container container, String reason);

        /** A connection cannot go on. */
        void failed(Connection connection, int errno, String reason);

        /** Everything that the socket posted before it was shut was copied. */
        void drained(Endpoint endpoint);

        /** No command of a socket that is being torn down is in flight any more. */
        void quiesced(Endpoint endpoint);
    }

    private final DeviceLane[] lanes;
    private final int maxTransfer;
    private final int queueDepth;
    private final ConnectionTable connections;
    private final Notifier notifier;
    private final DriverCounters counters;
    private final Command command = new Command();
    private final ArrayDeque<Endpoint> active = new ArrayDeque<>();
    private Faults faults;
    private int outstanding;
    private long nowNs;

    CopyScheduler(Device device, ConnectionTable connections, Notifier notifier, DriverCounters counters) {
        this.lanes = new DeviceLane[device.capabilities().lanes()];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = device.lane(i);
        }
        this.maxTransfer = device.capabilities().maxTransfer();
        this.queueDepth = device.capabilities().queueDepth();
        this.connections = connections;
        this.notifier = notifier;
        this.counters = counters;
    }

    void faults(Faults faults) {
        this.faults = faults;
    }

    /** Gathers no more posts into a copy than one command can carry. */
    int gatherLimit() {
        return Math.min(maxTransfer, 64 << 10);
    }

    /** Puts a socket into the round, if it is not there and has something to copy. */
    void schedule(Endpoint endpoint) {
        if (!endpoint.scheduled && !endpoint.throttled && endpoint.sends.hasUnsubmitted()) {
            endpoint.scheduled = true;
            active.add(endpoint);
        }
    }

    /** The receiver's process says that it made room. */
    void spaceFreed(Endpoint receiver) {
        if (receiver.spaceWanted) {
            receiver.spaceWanted = false;
            receiver.slot.spaceWanted(Long.MAX_VALUE);
            schedule(receiver.peer);
        }
    }

    /** Gives each socket of the round a turn. */
    int submit(long now) {
        nowNs = now;
        int submitted = 0;
        for (int turns = active.size(); turns > 0; turns--) {
            Endpoint endpoint = active.poll();
            endpoint.scheduled = false;
            submitted += turn(endpoint);
        }
        if (submitted > 0) {
            for (DeviceLane lane : lanes) {
                lane.flush();
            }
            counters.commands.add(submitted);
        }
        return submitted;
    }

    private int turn(Endpoint sender) {
        Endpoint receiver = sender.peer;
        DeviceLane lane = lanes[sender.connection.id % lanes.length];
        int budget = TURN_BYTES;
        int submitted = 0;
        while (sender.sends.hasUnsubmitted()) {
            if (!receiver.canReceive()) {
                faults.failed(sender.connection, Errno.ECONNRESET, "data for a socket that is closed");
                return submitted;
            }
            if (budget <= 0) {
                schedule(sender);
                return submitted;
            }
            int length = (int)
                    Math.min(Math.min(sender.sends.nextLength(), maxTransfer), sender.container.rate.available(nowNs));
            if (length == 0) {
                throttle(sender);
                return submitted;
            }
            if (receiver.received.free() < length && !makeRoom(receiver, length)) {
                return submitted;
            }
            int entry = lane.outstanding() < queueDepth ? receiver.received.reserve(length) : -1;
            if (entry == ReceiveBufferTable.FULL) {
                // The lane or the table is full of copies that will complete: try again after they did.
                schedule(sender);
                return submitted;
            }
            budget -= submitOne(lane, sender, receiver, entry);
            submitted++;
        }
        return submitted;
    }

    private int submitOne(DeviceLane lane, Endpoint sender, Endpoint receiver, int entry) {
        int piece = receiver.received.size(entry);
        command.set(
                CommandType.SEND,
                sender.sendBase + sender.sends.nextPointer(),
                receiver.receiveBase + receiver.received.pointer(entry),
                piece,
                sender.container.cid,
                sender.connection.id,
                sender.side,
                entry,
                0);
        lane.submit(command);
        sender.sends.submitted(piece);
        sender.inFlight++;
        outstanding++;
        sender.container.rate.take(piece);
        return piece;
    }

    /** Looks how much the receiver consumed; asks to be told when there is nothing to do until it consumes more. */
    private boolean makeRoom(Endpoint receiver, int length) {
        ReceiveBufferTable table = receiver.received;
        if (!readConsumed(receiver)) {
            return false;
        }
        if (table.free() > 0) {
            return true;
        }
        long wanted = table.consumed() + Math.min(length, table.ringSize() / 4);
        receiver.spaceWanted = true;
        receiver.slot.spaceWanted(wanted);
        VarHandle.fullFence();
        if (!readConsumed(receiver)) {
            return false;
        }
        if (table.free() > 0) {
            // Less than wanted is enough: the receiver may have looked for the wish before it was there, and sleep.
            receiver.spaceWanted = false;
            receiver.slot.spaceWanted(Long.MAX_VALUE);
            return true;
        }
        counters.stalls.add(1);
        return false;
    }

    /** Reads the container's count of bytes consumed, once, and checks it. */
    boolean readConsumed(Endpoint receiver) {
        if (!receiver.opened) {
            return true;
        }
        if (!receiver.received.consume(receiver.slot.consumed())) {
            faults.misbehaved(receiver.container, "count of bytes consumed out of range on socket " + receiver.sid);
            return false;
        }
        return true;
    }

    private void throttle(Endpoint sender) {
        sender.throttled = true;
        sender.container.throttled.add(sender);
        counters.throttled.add(1);
    }

    /** Puts the sockets of a container back into the round whose bucket has filled. */
    void unthrottle(Container container, long now) {
        if (container.rate.available(now) > 0 && container.rate.delayNs() == 0) {
            for (Endpoint endpoint : container.throttled) {
                endpoint.throttled = false;
                if (endpoint.state == Endpoint.State.CONNECTED) {
                    schedule(endpoint);
                }
            }
            container.throttled.clear();
        }
    }

    /** Takes completions. */
    int complete() {
        if (outstanding == 0) {
            return 0;
        }
        int taken = 0;
        for (DeviceLane lane : lanes) {
            while (lane.complete(command)) {
                taken++;
                completed();
            }
            lane.flushCompletions();
        }
        return taken;
    }

    private void completed() {
        outstanding--;
        Connection connection = connections.get(command.connectionId());
        if (connection == null || command.type() != CommandType.COMPLETED || command.tableId() > 1) {
            counters.deviceErrors.add(1);
            return;
        }
        Endpoint sender = connection.side(command.tableId());
        Endpoint receiver = sender.peer;
        if (sender.inFlight == 0 || sender.container.cid != command.containerId()) {
            counters.deviceErrors.add(1);
            return;
        }
        int length = receiver.received.size(command.entrySequence());
        boolean expected = receiver.received.complete(command.entrySequence());
        if (!expected) {
            counters.deviceErrors.add(1);
            faults.failed(connection, Errno.EIO, "the device completed a command that it was not given");
            return;
        }
        sender.inFlight--;
        if (command.tag() != CommandType.STATUS_OK) {
            counters.deviceErrors.add(1);
            faults.failed(connection, Errno.EIO, "the device failed with status " + command.tag());
        } else if (!sender.reset) {
            deliver(sender, receiver, length);
        }
        if (sender.inFlight == 0) {
            faults.quiesced(sender);
        }
    }

    private void deliver(Endpoint sender, Endpoint receiver, int length) {
        counters.bytes.add(length);
        sender.container.counters.sent(length);
        receiver.container.counters.received(length);
        receiver.slot.produced(receiver.received.produced());
        notifier.touch(receiver, Notifier.IN);
        int posts = sender.sends.completed(length);
        if (posts > 0) {
            sender.sendsCompleted += posts;
            sender.slot.sendsCompleted(sender.sendsCompleted);
            notifier.touch(sender, Notifier.OUT);
        }
        if (sender.outputShut && sender.sends.isEmpty()) {
            faults.drained(sender);
        }
    }

    /** Commands that a device lost in its reset: their connections fail, and nothing waits for them any more. */
    void forgetOutstanding() {
        if (outstanding == 0) {
            return;
        }
        outstanding = 0;
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

    /** Whether there is anything to do that nobody will announce. */
    boolean isBusy() {
        return !active.isEmpty();
    }

    int outstanding() {
        return outstanding;
    }

    /** Asks for an interrupt; false if there is a completion, or work for the caller's thread, already. */
    boolean requestInterrupts() {
        if (outstanding == 0) {
            return true;
        }
        for (DeviceLane lane : lanes) {
            if (!lane.requestInterrupt()) {
                return false;
            }
        }
        return true;
    }

    void cancelInterrupts() {
        for (DeviceLane lane : lanes) {
            lane.cancelInterrupt();
        }
    }
}
