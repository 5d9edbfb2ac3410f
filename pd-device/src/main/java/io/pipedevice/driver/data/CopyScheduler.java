// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.device.Device;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.share.Share;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.ReceiveBufferTable;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;

/**
 * The data path of the driver (§3.5): takes posted sends, finds room in the receiver's ring, and writes commands to the
 * SQ of the connection's lane. {@link Completions} handles the completions.
 *
 * <p>The containers that have data to copy take turns in a round, and so do the sockets within a container. So neither
 * many sockets nor many small sends get a larger part of the engine ({@link Share}). A socket whose peer has no room
 * leaves the round until the peer's process reports room. A socket whose container has used up its rate leaves the
 * round until the bucket has filled. Belongs to the driver's thread.
 */
public final class CopyScheduler {
    /** Receives the events of connections while their data are copied. */
    interface Faults {
        /** A connection cannot continue. */
        void failed(Connection connection, int errno, String reason);

        /** All data were copied that the socket posted before its output was shut down. */
        void drained(Endpoint endpoint);

        /** The last command in flight of a socket that is being torn down has completed. */
        void quiesced(Endpoint endpoint);
    }

    private final Completions completions;
    private final int maxTransfer;
    private final FaultyContainers faulty;
    private final DriverCounters counters;
    private final Command command = new Command();
    private final ArrayDeque<Container> round = new ArrayDeque<>();
    private boolean held;

    /** Whether every container of the round waits for a completion. */
    private boolean blocked;

    private long nowNs;

    /**
     * Submits commands to a device.
     *
     * @param device executes them
     * @param completions counts the outstanding commands
     * @param faulty is informed of containers that broke a rule
     * @param counters of the driver
     */
    public CopyScheduler(Device device, Completions completions, FaultyContainers faulty, DriverCounters counters) {
        this.maxTransfer = device.capabilities().maxTransfer();
        this.completions = completions;
        this.faulty = faulty;
        this.counters = counters;
    }

    /**
     * Most bytes of posts that are gathered into one copy, at most those of one command.
     *
     * @return in bytes
     */
    public int gatherLimit() {
        return Math.min(maxTransfer, 64 << 10);
    }

    /** Puts a socket into the round, if it is not there and has data to copy. */
    void schedule(Endpoint endpoint) {
        if (!endpoint.scheduled && !endpoint.throttled && endpoint.sends.hasUnsubmitted()) {
            blocked = false;
            add(endpoint);
        }
    }

    private void add(Endpoint endpoint) {
        Container container = endpoint.container;
        endpoint.scheduled = true;
        container.sending.add(endpoint);
        if (!container.scheduled) {
            container.scheduled = true;
            round.add(container);
        }
    }

    /** Handles the report of the receiver's process that it made room. */
    void spaceFreed(Endpoint receiver) {
        if (receiver.spaceWanted) {
            receiver.spaceWanted = false;
            receiver.slot.spaceWanted(Long.MAX_VALUE);
            schedule(receiver.peer);
        }
    }

    /**
     * Gives each container of the round a turn.
     *
     * @param now in nanoseconds
     * @param faults is informed of connections that cannot continue
     * @return how many commands were submitted
     */
    public int submit(long now, Faults faults) {
        nowNs = now;
        if (held) {
            return 0;
        }
        int submitted = 0;
        blocked = true;
        for (int turns = round.size(); turns > 0; turns--) {
            submitted += turn(round.poll(), faults);
        }
        if (submitted > 0) {
            completions.flush();
            counters.commands.add(submitted);
        }
        return submitted;
    }

    /** Gives the container's sockets turns until its credit is used up or none of them can continue. */
    private int turn(Container container, Faults faults) {
        ArrayDeque<Endpoint> sending = container.sending;
        int submitted = 0;
        int before;
        do {
            before = submitted;
            for (int turns = sending.size(); turns > 0 && container.share.maySubmit(); turns--) {
                Endpoint endpoint = sending.poll();
                endpoint.scheduled = false;
                submitted += turn(endpoint, faults);
            }
        } while (submitted > before);
        container.scheduled = !sending.isEmpty();
        if (container.scheduled) {
            round.add(container);
            // A container without credit gets more in the next cycle. A completion announces every other event that its
            // sockets wait for.
            blocked &= container.share.hasCredit();
        }
        return submitted;
    }

    private int turn(Endpoint sender, Faults faults) {
        Share share = sender.container.share;
        Endpoint receiver = sender.peer;
        int lane = completions.laneOf(sender.connection);
        int budget = Share.SOCKET_TURN_NS;
        int submitted = 0;
        while (sender.sends.hasUnsubmitted()) {
            if (completions.isAbandoned()) {
                faults.failed(sender.connection, Errno.EIO, "the device is lost");
                return submitted;
            }
            if (!receiver.canReceive()) {
                faults.failed(sender.connection, Errno.ECONNRESET, "data for a closed socket");
                return submitted;
            }
            if (budget <= 0 || !share.maySubmit()) {
                add(sender);
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
            int entry = completions.hasRoom(lane) ? receiver.received.reserve(length) : -1;
            if (entry == ReceiveBufferTable.FULL) {
                // The lane or the table is full. Try again after some of its copies have completed.
                add(sender);
                return submitted;
            }
            int piece = submitOne(lane, sender, receiver, entry);
            if (piece == 0) {
                faults.failed(sender.connection, Errno.EIO, "the device does not accept a command");
                return submitted;
            }
            budget -= Share.cost(piece);
            submitted++;
        }
        return submitted;
    }

    private int submitOne(int lane, Endpoint sender, Endpoint receiver, int entry) {
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
        if (!completions.submit(lane, command, sender)) {
            receiver.received.complete(entry);
            return 0;
        }
        sender.sends.submitted(piece);
        sender.container.rate.take(piece);
        sender.container.share.submitted(piece);
        return piece;
    }

    /**
     * Reads the receiver's count of consumed bytes. If there is still no room, asks its process to report when it has
     * consumed more.
     */
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
            // Continue with less room than wanted: the receiver may have checked before it could see the request for
            // room, and may sleep now.
            receiver.spaceWanted = false;
            receiver.slot.spaceWanted(Long.MAX_VALUE);
            return true;
        }
        counters.stalls.add(1);
        return false;
    }

    /** Reads the container's count of consumed bytes once, and checks it. */
    boolean readConsumed(Endpoint receiver) {
        if (!receiver.opened) {
            return true;
        }
        if (!receiver.received.consume(receiver.slot.consumed())) {
            faulty.add(receiver.container, "count of bytes consumed out of range on socket " + receiver.sid);
            return false;
        }
        return true;
    }

    private void throttle(Endpoint sender) {
        sender.throttled = true;
        sender.container.throttled.add(sender);
        counters.throttled.add(1);
    }

    /**
     * Puts the sockets of a container back into the round when its bucket has filled.
     *
     * @param container any
     * @param now in nanoseconds
     */
    public void unthrottle(Container container, long now) {
        if (container.rate.isFilled(now)) {
            for (Endpoint endpoint : container.throttled) {
                endpoint.throttled = false;
                if (endpoint.state == Endpoint.State.CONNECTED) {
                    schedule(endpoint);
                }
            }
            container.throttled.clear();
        }
    }

    /** Stops or resumes the submission of commands to the device. */
    void hold(boolean on) {
        held = on;
    }

    /**
     * Whether submission is stopped; only a timeout ends that.
     *
     * @return false in normal operation
     */
    public boolean isHeld() {
        return held;
    }

    /**
     * Whether there is work that no event will announce. (The device announces completions.)
     *
     * @return whether the driver must not sleep
     */
    public boolean isBusy() {
        return !held && !round.isEmpty() && !(blocked && completions.outstanding() > 0);
    }
}
