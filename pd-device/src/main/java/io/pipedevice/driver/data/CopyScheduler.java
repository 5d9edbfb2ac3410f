// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.device.Device;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.share.Share;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.memory.ReceiveBufferTable;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.util.ArrayDeque;

/**
 * The data path of the driver (§3.5): takes posted sends, finds room in the receiver's ring, and writes commands to the
 * SQ of the connection's lane. {@link Completions} handles the completions.
 *
 * <p>The processes that have data to copy take turns in a {@link Round}, and so do the sockets within a process. So
 * neither many sockets nor many small sends get a larger part of the engine ({@link Share}). A socket whose lane is
 * full keeps its place. A socket whose peer has no room leaves the round until the peer's process reports room. A
 * socket whose process has used up its rate leaves the round until the bucket has filled. Belongs to the driver's
 * thread.
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

    /** After so many sockets of a process that found their lane full, the next process has its turn. */
    private static final int MAX_SKIPPED = 64;

    private static final LimitedLog FAILED = LimitedLog.error(CopyScheduler.class, "error in the turn of {0}");

    private final Completions completions;
    private final FaultyProcesses faulty;
    private final int maxTransfer;
    private final ReceiveRoom room;
    private final DriverCounters counters;
    private final Command command = new Command();
    private final Lanes lanes;
    private final Round round = new Round();

    /** The processes that have data to copy; the next one comes first. */
    private final ArrayDeque<AttachedProcess> turns = new ArrayDeque<>();

    /** During a process's turn: the sockets that found their lane full. They come first in its next turn. */
    private final ArrayDeque<Endpoint> skipped = new ArrayDeque<>();

    private boolean held;

    /** Whether a socket was scheduled after the last turns. */
    private boolean scheduled;

    private long nowNs;

    /**
     * Submits commands to a device.
     *
     * @param device executes them
     * @param completions counts the outstanding commands
     * @param faulty is informed of processes that broke a rule
     * @param counters of the driver
     */
    public CopyScheduler(Device device, Completions completions, FaultyProcesses faulty, DriverCounters counters) {
        this.maxTransfer = device.capabilities().maxTransfer();
        this.completions = completions;
        this.faulty = faulty;
        this.lanes = completions.lanes();
        this.room = new ReceiveRoom(faulty, counters);
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

    /** The round of turns that processes take. */
    Round round() {
        return round;
    }

    /** The knowledge about the room in receive rings. */
    ReceiveRoom room() {
        return room;
    }

    /** Puts a socket into the round, if it is not there and has data to copy. */
    void schedule(Endpoint endpoint) {
        if (!endpoint.scheduled && !endpoint.throttled && endpoint.sends.hasUnsubmitted()) {
            scheduled = true;
            add(endpoint);
        }
    }

    private void add(Endpoint endpoint) {
        AttachedProcess process = endpoint.process;
        endpoint.scheduled = true;
        process.sending.add(endpoint);
        if (!process.scheduled) {
            process.scheduled = true;
            turns.add(process);
        }
    }

    /** Handles the report of the receiver's process that it made room. */
    void spaceFreed(Endpoint receiver) {
        if (receiver.spaceWanted) {
            ReceiveRoom.wantNone(receiver);
            schedule(receiver.peer);
        }
    }

    /**
     * Gives each process of the round a turn.
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
        boolean failed = false;
        scheduled = false;
        for (int left = turns.size(); left > 0; left--) {
            if (lanes.areFull()) {
                // The next cycle begins with the process that comes next now.
                round.interrupted();
                break;
            }
            AttachedProcess process = turns.poll();
            try {
                submitted += turn(process, faults);
            } catch (RuntimeException | Error e) {
                // A defect of the driver, or a lack of memory. The turns of the others follow.
                skipped.clear();
                failed = true;
                faulty.add(process, "data that the driver cannot handle: " + e);
                FAILED.log(e, process);
            }
        }
        if (submitted > 0 || failed) {
            // A turn that failed may have submitted some.
            lanes.flush();
            counters.commands.add(submitted);
        }
        return submitted;
    }

    /** Gives the process's sockets turns until its credit is used up or none of them can continue. */
    private int turn(AttachedProcess process, Faults faults) {
        ArrayDeque<Endpoint> sending = process.sending;
        int submitted = 0;
        int before;
        do {
            before = submitted;
            for (int left = sending.size(); left > 0 && mayContinue(process); left--) {
                Endpoint endpoint = sending.poll();
                if (completions.isAbandoned() || lanes.hasRoom(lanes.of(endpoint.connection))) {
                    endpoint.scheduled = false;
                    submitted += turn(endpoint, faults);
                } else {
                    skipped.add(endpoint);
                }
            }
        } while (submitted > before);
        while (!skipped.isEmpty()) {
            sending.addFirst(skipped.pollLast());
        }
        process.scheduled = !sending.isEmpty();
        if (process.scheduled) {
            turns.add(process);
            round.dataLeft(process, submitted > 0, nowNs);
        } else {
            process.waiting = false;
        }
        return submitted;
    }

    private boolean mayContinue(AttachedProcess process) {
        return process.share.hasCredit() && skipped.size() < MAX_SKIPPED && !lanes.areFull();
    }

    private int turn(Endpoint sender, Faults faults) {
        Share share = sender.process.share;
        Endpoint receiver = sender.peer;
        int lane = lanes.of(sender.connection);
        if (sender.turnLeftNs <= 0) {
            sender.turnLeftNs = Share.SOCKET_TURN_NS;
        }
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
            if (sender.turnLeftNs <= 0) {
                add(sender);
                return submitted;
            }
            if (!share.hasCredit()) {
                sender.scheduled = true;
                sender.process.sending.addFirst(sender);
                return submitted;
            }
            int length = (int)
                    Math.min(Math.min(sender.sends.nextLength(), maxTransfer), sender.process.rate.available(nowNs));
            if (length == 0) {
                throttle(sender);
                return submitted;
            }
            if (ReceiveRoom.isScarce(receiver, length) && !room.make(receiver, length)) {
                return submitted;
            }
            int entry = lanes.hasRoom(lane) ? receiver.received.reserve(length) : -1;
            if (entry == ReceiveBufferTable.FULL) {
                // The lane or the table is full. Try again after some of its copies have completed.
                sender.scheduled = true;
                skipped.add(sender);
                return submitted;
            }
            int piece = submitOne(lane, sender, receiver, entry);
            if (piece == 0) {
                faults.failed(sender.connection, Errno.EIO, "the device does not accept a command");
                return submitted;
            }
            sender.turnLeftNs -= Share.cost(piece);
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
                sender.process.cid,
                sender.connection.id,
                sender.side,
                entry,
                0);
        if (!completions.submit(lane, command, sender)) {
            receiver.received.complete(entry);
            return 0;
        }
        sender.sends.submitted(piece);
        sender.process.rate.take(piece);
        sender.process.share.submitted(piece);
        return piece;
    }

    private void throttle(Endpoint sender) {
        sender.throttled = true;
        sender.process.throttled.add(sender);
        counters.throttled.add(1);
    }

    /**
     * Puts the sockets of a process back into the round when its bucket has filled.
     *
     * @param process any
     * @param now in nanoseconds
     * @return how long they have to wait still, in nanoseconds; 0 if none of them waits
     */
    public long unthrottle(AttachedProcess process, long now) {
        if (process.throttled.isEmpty()) {
            return 0;
        }
        long delayNs = process.rate.delayNs(now);
        if (delayNs > 0) {
            return delayNs;
        }
        for (Endpoint endpoint : process.throttled) {
            endpoint.throttled = false;
            if (endpoint.state == Endpoint.State.CONNECTED) {
                schedule(endpoint);
            }
        }
        process.throttled.clear();
        return 0;
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
        return !held && !turns.isEmpty() && (scheduled || lanes.outstanding() == 0 || round.isDue());
    }
}
