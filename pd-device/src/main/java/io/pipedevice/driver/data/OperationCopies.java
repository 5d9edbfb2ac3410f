// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.device.Device;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandDescriptor;
import io.pipedevice.queue.CommandType;

/**
 * Copies between regions: commands to the same lanes as those of sockets, from the same credit. In their completions
 * the table id is {@link #TABLE_ID}, and the connection id names a place in a table of what is under way. A completion
 * that matches nothing there is counted, and has no other effect. Belongs to the driver's thread.
 */
public final class OperationCopies implements Completions.Table {
    /** The table id of these commands; those of sockets have 0 or 1. */
    private static final int TABLE_ID = 2;

    private static final int MOST_UNDER_WAY = 4096;

    /** Is notified of the end of a copy. */
    public interface Target {
        /**
         * A copy has ended.
         *
         * @param token as it was submitted
         * @param bytes of the copy
         * @param done false if the device failed
         */
        void copied(int token, int bytes, boolean done);
    }

    private final CopyScheduler copies;
    private final Completions completions;
    private final Lanes lanes;
    private final DriverCounters counters;
    private final int maxTransfer;
    private final Command command = new Command();

    /** Indexed by place. A target is null where nothing is under way. */
    private final Target[] targets = new Target[MOST_UNDER_WAY];

    private final AttachedProcess[] processes = new AttachedProcess[MOST_UNDER_WAY];
    private final int[] tokens = new int[MOST_UNDER_WAY];
    private final int[] lengths = new int[MOST_UNDER_WAY];
    private final int[] sequences = new int[MOST_UNDER_WAY];
    private final long[] destinations = new long[MOST_UNDER_WAY];
    private final boolean[] seen = new boolean[MOST_UNDER_WAY];

    private final int[] free = new int[MOST_UNDER_WAY];
    private int freeCount = MOST_UNDER_WAY;

    /**
     * Begins with nothing under way.
     *
     * @param device executes the commands
     * @param copies has the round of turns
     * @param completions has the lanes, and notifies this of completions
     * @param counters of the driver
     */
    public OperationCopies(Device device, CopyScheduler copies, Completions completions, DriverCounters counters) {
        this.copies = copies;
        this.completions = completions;
        this.lanes = completions.lanes();
        this.counters = counters;
        this.maxTransfer = Math.min(device.capabilities().maxTransfer(), copies.gatherLimit());
        for (int place = 0; place < MOST_UNDER_WAY; place++) {
            free[place] = MOST_UNDER_WAY - 1 - place;
        }
        completions.table(TABLE_ID, this);
    }

    /**
     * Whether another copy may be submitted, as far as the device is concerned.
     *
     * @param number of a queue pair, all of whose copies go to one lane
     * @return false if its lane is full, or submission is stopped
     */
    public boolean hasRoom(int number) {
        return freeCount > 0 && !copies.isHeld() && lanes.hasRoom(lanes.of(number));
    }

    /**
     * Whether copies are possible.
     *
     * @return false if the device is lost
     */
    public boolean isLost() {
        return completions.isAbandoned();
    }

    /**
     * The longest copy that a process may submit now.
     *
     * @param process whose rate limit applies
     * @param nowNs the time
     * @return in bytes; 0 if it has used up its rate
     */
    public int allowed(AttachedProcess process, long nowNs) {
        return (int) Math.min(maxTransfer, process.rate.available(nowNs));
    }

    /**
     * Counts bytes that were moved without a command.
     *
     * @param process whose rate limit applies
     * @param bytes how many
     */
    public void moved(AttachedProcess process, int bytes) {
        process.rate.take(bytes);
        process.counters.sent(bytes);
    }

    /**
     * The time until a process that has used up its rate may go on.
     *
     * @param process any
     * @param nowNs the time
     * @return in nanoseconds; 0 if it may go on now
     */
    public long delayNs(AttachedProcess process, long nowNs) {
        return process.rate.delayNs(nowNs);
    }

    /** Records that a process had to wait for its rate. */
    public void throttled() {
        counters.throttled.add(1);
    }

    /**
     * Records that a process with credit has operations left, so that the round is not over.
     *
     * @param process any
     */
    public void left(AttachedProcess process) {
        copies.round().requestsLeft(process);
    }

    /**
     * Submits a copy. There must be {@link #hasRoom room}, and it must be {@link #allowed}.
     *
     * @param process is charged
     * @param number of its queue pair
     * @param source address of the device
     * @param destination address of the device
     * @param length in bytes
     * @param target is notified of the end
     * @param token that it gets with the end
     * @return false if the device refuses it
     */
    public boolean submit(
            AttachedProcess process, int number, long source, long destination, int length, Target target, int token) {
        int place = free[freeCount - 1];
        int sequence = (sequences[place] + 1) & CommandDescriptor.MAX_ID;
        command.set(CommandType.SEND, source, destination, length, process.cid, place, TABLE_ID, sequence, 0);
        if (!lanes.submit(lanes.of(number), command)) {
            counters.deviceErrors.add(1);
            return false;
        }
        freeCount--;
        targets[place] = target;
        processes[place] = process;
        tokens[place] = token;
        lengths[place] = length;
        sequences[place] = sequence;
        destinations[place] = destination;
        seen[place] = false;
        process.rate.take(length);
        process.share.submitted(length);
        return true;
    }

    /**
     * Makes the submitted copies visible to the device.
     *
     * @param submitted how many
     */
    public void flush(int submitted) {
        lanes.flush();
        counters.commands.add(submitted);
    }

    @Override
    public void completed(int lane, Command completion) {
        int place = completion.connectionId();
        if (place >= MOST_UNDER_WAY
                || targets[place] == null
                || completion.entrySequence() != sequences[place]
                || completion.length() != lengths[place]
                || completion.destination() != destinations[place]
                || completion.containerId() != processes[place].cid) {
            counters.deviceErrors.add(1);
            return;
        }
        completions.serves(processes[place]);
        boolean done = completion.tag() == CommandType.STATUS_OK;
        lanes.completed(lane, completion.length());
        if (done) {
            counters.bytes.add(completion.length());
            processes[place].counters.sent(completion.length());
        } else {
            counters.deviceErrors.add(1);
        }
        end(place, done);
    }

    private void end(int place, boolean done) {
        Target target = targets[place];
        targets[place] = null;
        processes[place] = null;
        free[freeCount++] = place;
        target.copied(tokens[place], lengths[place], done);
    }

    @Override
    public int stuck() {
        int stuck = 0;
        for (int place = 0; place < MOST_UNDER_WAY; place++) {
            if (targets[place] != null) {
                stuck += seen[place] ? 1 : 0;
                seen[place] = true;
            }
        }
        return stuck;
    }

    @Override
    public void forget() {
        for (int place = 0; place < MOST_UNDER_WAY; place++) {
            if (targets[place] != null) {
                counters.deviceErrors.add(1);
                end(place, false);
            }
        }
    }
}
