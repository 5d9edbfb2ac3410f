// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.queue.CommandType;
import io.pipedevice.queue.EntryRingProducer;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Notifies processes of changes to their sockets. It collects the sockets that a duty cycle touched. At the end of the
 * cycle, after one fence, it checks whether a thread sleeps on them ({@link ArmWord}), and rings their doorbells, each
 * at most once. Each process has a turn of {@link #TURN_SOCKETS} sockets in a cycle, and a cycle ends after
 * {@link #TURN_NS}, so a process with thousands of sockets keeps no other process waiting.
 *
 * <p>A thread that is awake sees published data at once. Only the doorbell is moderated, as an interrupt would be.
 * While each duty cycle brings a socket more data, its reader stays asleep, but for at most {@link #MODERATION_NS}
 * and at most until a quarter of the ring is filled. The first cycle that brings no more data rings the doorbell.
 *
 * <p>Belongs to the driver's thread.
 */
public final class Notifier {
    /** Change: there are data to read or a connection to accept, or the state changed. */
    public static final int IN = ArmWord.IN;

    /** Change: sends were completed, or the state changed. */
    static final int OUT = ArmWord.OUT;

    /** Change: the state changed, which wakes every sleeping thread. */
    static final int STATE = 0x100;

    private static final long MODERATION_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /** Most sockets of a process that are checked in one cycle. */
    private static final int TURN_SOCKETS = 256;

    /** A process's turn ends when this many doorbells are to be rung; each takes a system call and a wake-up. */
    private static final int TURN_DOORBELLS = 32;

    /** Time limit of a cycle; the last process's turn may exceed it. */
    private static final long TURN_NS = TimeUnit.MICROSECONDS.toNanos(200);

    /** The touched sockets of a process. */
    private static final class Turn {
        final ArrayDeque<Endpoint> touched = new ArrayDeque<>();
    }

    /** Indexed by the number of the attachment. */
    private Turn[] turns = new Turn[16];

    /** The turns of processes that have touched sockets; the next one comes first. */
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>();

    private final ArrayList<ProcessDoorbell> ringing = new ArrayList<>();
    private final DriverCounters counters;
    private final FaultyProcesses faulty;
    private long cycle;
    private long nowNs;

    /**
     * Creates a notifier for the processes of a driver.
     *
     * @param faulty is informed of processes that do not consume their event ring, or whose arm words name no doorbell
     * @param counters of the driver
     */
    public Notifier(FaultyProcesses faulty, DriverCounters counters) {
        this.faulty = faulty;
        this.counters = counters;
    }

    /**
     * Records changes of a socket.
     *
     * @param endpoint of a process
     * @param changes {@link #STATE} and others, or-ed
     */
    public void touch(Endpoint endpoint, int changes) {
        if (endpoint.changes == 0) {
            Turn turn = turnOf(endpoint.process.cid);
            if (turn.touched.isEmpty()) {
                waiting.add(turn);
            }
            turn.touched.add(endpoint);
            endpoint.changedSinceNs = nowNs;
        }
        endpoint.changes |= changes;
        endpoint.changedCycle = cycle;
    }

    private Turn turnOf(int cid) {
        if (cid >= turns.length) {
            turns = Arrays.copyOf(turns, Math.max(2 * turns.length, cid + 1));
        }
        Turn turn = turns[cid];
        if (turn == null) {
            turn = new Turn();
            turns[cid] = turn;
        }
        return turn;
    }

    /**
     * Checks touched sockets, and wakes the threads that sleep on them.
     *
     * @param now in nanoseconds
     * @return how many sockets were checked
     */
    public int run(long now) {
        nowNs = now;
        if (waiting.isEmpty()) {
            return 0;
        }
        VarHandle.fullFence();
        int count = 0;
        long start = waiting.size() > 1 ? System.nanoTime() : 0;
        for (int left = waiting.size(); left > 0; left--) {
            Turn turn = waiting.poll();
            try {
                count += take(turn.touched);
            } finally {
                if (!turn.touched.isEmpty()) {
                    waiting.add(turn);
                }
            }
            if (left > 1 && System.nanoTime() - start > TURN_NS) {
                break;
            }
        }
        cycle++;
        return count;
    }

    private int take(ArrayDeque<Endpoint> touched) {
        int most = Math.min(touched.size(), TURN_SOCKETS);
        int count = 0;
        while (count < most && ringing.size() < TURN_DOORBELLS) {
            count++;
            Endpoint endpoint = touched.poll();
            try {
                take(endpoint, touched);
            } catch (RuntimeException | Error e) {
                endpoint.changes = 0;
                faulty.failed(endpoint.process, "a wake-up", e);
            }
        }
        for (int i = 0; i < ringing.size(); i++) {
            ProcessDoorbell doorbell = ringing.get(i);
            doorbell.ringing = false;
            doorbell.ring();
        }
        counters.doorbells.add(ringing.size());
        ringing.clear();
        return count;
    }

    private void take(Endpoint endpoint, ArrayDeque<Endpoint> touched) {
        if (!endpoint.opened || endpoint.process.isGone()) {
            endpoint.changes = 0;
        } else if (isModerated(endpoint)) {
            // Serve writers at once: a writer itself specifies how many sends must complete before its wake-up.
            serve(endpoint, endpoint.changes & OUT);
            endpoint.changes = IN;
            touched.add(endpoint);
        } else {
            int changes = endpoint.changes;
            endpoint.changes = 0;
            serve(endpoint, (changes & STATE) != 0 ? IN | OUT | STATE : changes);
        }
    }

    private boolean isModerated(Endpoint endpoint) {
        if (endpoint.changes >= STATE
                || (endpoint.changes & IN) == 0
                || endpoint.changedCycle != cycle
                || nowNs - endpoint.changedSinceNs >= MODERATION_NS) {
            return false;
        }
        return endpoint.received != null
                && endpoint.received.produced() - endpoint.notifiedProduced < endpoint.received.ringSize() / 4;
    }

    /**
     * Whether there are touched sockets that were not checked yet.
     *
     * @return whether {@link #run} has work
     */
    public boolean hasTouched() {
        return !waiting.isEmpty();
    }

    private void serve(Endpoint endpoint, int changes) {
        if ((changes & IN) != 0) {
            endpoint.notifiedProduced = endpoint.received == null ? 0 : endpoint.received.produced();
            long arm = endpoint.slot.readArm();
            if (arm != endpoint.servedReadArm && (ArmWord.interest(arm) & IN) != 0) {
                endpoint.servedReadArm = arm;
                wake(endpoint, arm, IN);
            }
        }
        boolean out = (changes & OUT) != 0;
        if (out) {
            long arm = endpoint.slot.writeArm();
            if (arm != endpoint.servedWriteArm
                    && (ArmWord.interest(arm) & OUT) != 0
                    && wantsCompletions(endpoint, changes)) {
                endpoint.servedWriteArm = arm;
                wake(endpoint, arm, OUT);
            }
        }
        long arm = endpoint.slot.epollArm();
        if (arm != endpoint.servedEpollArm && arm != ArmWord.DISARMED) {
            int ready = ArmWord.interest(arm) & changes & IN;
            ready |= out && wantsCompletions(endpoint, changes) ? ArmWord.interest(arm) & OUT : 0;
            if (ready != 0 || (changes & STATE) != 0) {
                endpoint.servedEpollArm = arm;
                post(endpoint, arm, ready);
            }
        }
    }

    private static boolean wantsCompletions(Endpoint endpoint, int changes) {
        return (changes & STATE) != 0 || endpoint.sendsCompleted >= endpoint.slot.writeWanted();
    }

    /** Wakes a blocked reader or writer. If it shares its doorbell with others, an event names its socket. */
    private void wake(Endpoint endpoint, long arm, int direction) {
        if ((ArmWord.interest(arm) & ArmWord.EVENT) == 0) {
            ring(endpoint.process, arm);
        } else {
            post(endpoint, arm, direction | ArmWord.EVENT);
        }
    }

    private void post(Endpoint endpoint, long arm, int ready) {
        AttachedProcess process = endpoint.process;
        if (process.events.offer(CommandType.EVENT, 0, 0, ready, endpoint.sid, 0, 0) != EntryRingProducer.PUBLISHED) {
            // The ring has room for every event that an honest process can request. A process that fills it arms
            // without consuming events.
            faulty.add(process, "an event ring that is not consumed");
            return;
        }
        counters.events.add(1);
        ring(process, arm);
    }

    private void ring(AttachedProcess process, long arm) {
        int number = ArmWord.doorbell(arm);
        if (number >= process.doorbells.size()) {
            faulty.add(process, "arms that name no doorbell");
            return;
        }
        ProcessDoorbell doorbell = process.doorbells.get(number);
        if (!doorbell.ringing) {
            doorbell.ringing = true;
            ringing.add(doorbell);
            process.share.doorbell();
        }
    }
}
