// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.FaultyProcesses;
import io.pipedevice.driver.data.OperationCopies;
import io.pipedevice.driver.data.ProcessDoorbell;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.share.Share;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.protocol.ArmWord;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The one-sided operations and the calls of all processes. In each duty cycle the queue pairs of each process have a
 * turn, from the same credit as its sockets. Then calls run, for a bounded time, so that neither sockets nor new
 * requests wait until each process with calls has had its turn. Rings the doorbells of threads that sleep until there
 * is a completion or a call. Belongs to the driver's thread.
 */
public final class Operations {
    private static final LimitedLog FAILED = LimitedLog.error(Operations.class, "error in the turn of {0}");

    /** Calls run for so long in a duty cycle, and for a turn more. */
    private static final long CALLS_NS = 8L * Share.SOCKET_TURN_NS;

    private final Rights rights;
    private final Names<RegisteredRegion> names;
    private final OperationCopies copies;
    private final FaultyProcesses faulty;
    private final DriverCounters counters;
    private final ArrayList<RegionUser> users = new ArrayList<>();
    private final ArrayList<RegionUser> leaving = new ArrayList<>();
    private final ArrayList<ArmedRing> touched = new ArrayList<>();

    /** Makes what executes the calls of a process; set once, before the first process. */
    private Function<RegionUser, CallExecutor> makeCalls;

    /** The process whose queue pairs have the first turn. */
    private int next;

    /** The process whose calls have the first turn. */
    private int nextCaller;

    /**
     * Begins without processes.
     *
     * @param rights to regions and functions
     * @param copies moves bytes
     * @param faulty is notified of processes that broke a rule
     * @param counters of the driver
     */
    public Operations(Rights rights, OperationCopies copies, FaultyProcesses faulty, DriverCounters counters) {
        this.rights = rights;
        this.names = new Names<>(rights);
        this.copies = copies;
        this.faulty = faulty;
        this.counters = counters;
    }

    /**
     * Says what executes calls. Called once, before there are processes.
     *
     * @param make makes it for a process, at its first call
     */
    public void calls(Function<RegionUser, CallExecutor> make) {
        makeCalls = make;
    }

    /**
     * The regions that have names.
     *
     * @return owned by this
     */
    Names<RegisteredRegion> names() {
        return names;
    }

    /**
     * The rights to regions and functions.
     *
     * @return of all processes
     */
    public Rights rights() {
        return rights;
    }

    /**
     * The part of a process in this; made when it is first asked for.
     *
     * @param process attached
     * @return the operations of the process
     */
    public RegionUser user(AttachedProcess process) {
        RegionUser user = of(users, process);
        if (user == null) {
            user = new RegionUser(process, names, rights, copies, touched, makeCalls);
            users.add(user);
        }
        return user;
    }

    private static RegionUser of(List<RegionUser> users, AttachedProcess process) {
        for (int i = 0; i < users.size(); i++) {
            if (users.get(i).process == process) {
                return users.get(i);
            }
        }
        return null;
    }

    /**
     * Gives each process a turn.
     *
     * @param nowNs the time
     * @return how much was done
     */
    public int run(long nowNs) {
        int count = users.size();
        if (count == 0) {
            return 0;
        }
        next = (next + 1) % count;
        int before = touched.size();
        int submitted = 0;
        for (int i = 0; i < count; i++) {
            RegionUser user = users.get((next + i) % count);
            try {
                user.lookAtCalls(nowNs);
                user.look();
                if (!user.active.isEmpty()) {
                    submitted += turn(user, nowNs);
                }
            } catch (RuntimeException | Error e) {
                failed(user, e);
            }
        }
        if (submitted > 0) {
            copies.flush(submitted);
        }
        int filled = touched.size() - before;
        // A call that goes to its owner does not wait for those that run here.
        ring();
        return submitted + filled + runCalls(nowNs);
    }

    private int turn(RegionUser user, long nowNs) {
        if (user.callsComeFirst() || !mayGoOn(user, nowNs)) {
            return 0;
        }
        int submitted = 0;
        boolean waits = false;
        for (int left = user.active.size(); left > 0 && !user.throttled && user.process.share.hasCredit(); left--) {
            OperationQueue queue = user.active.poll();
            Need need = queue.turn(nowNs);
            submitted += queue.submitted();
            switch (need) {
                case TURN, LANE -> user.active.addLast(queue);
                case CREDIT, RATE -> user.active.addFirst(queue);
                default -> {
                    continue;
                }
            }
            queue.activated();
            waits |= need == Need.LANE;
            if (need == Need.RATE) {
                throttle(user);
            }
        }
        if (!user.active.isEmpty() && !waits && !user.throttled) {
            copies.left(user.process);
        }
        return submitted;
    }

    /** A turn has hit a defect of the driver, or a lack of memory: only the process whose turn it was is detached. */
    private void failed(RegionUser user, Throwable e) {
        faulty.add(user.process, "an operation or call that the driver cannot handle: " + e);
        FAILED.log(e, user.process);
    }

    private boolean mayGoOn(RegionUser user, long nowNs) {
        if (user.throttled && copies.delayNs(user.process, nowNs) > 0) {
            return false;
        }
        user.throttled = false;
        return true;
    }

    private void throttle(RegionUser user) {
        user.throttled = true;
        copies.throttled();
    }

    /** Gives the calls of one process after the other a turn, until the time is up; returns how many had one. */
    private int runCalls(long nowNs) {
        int count = users.size();
        int first = nextCaller + 1;
        long start = 0;
        int turns = 0;
        for (int i = 0; i < count; i++) {
            int number = (first + i) % count;
            RegionUser user = users.get(number);
            if (!user.wantsCallsTurn() || !mayGoOn(user, nowNs)) {
                continue;
            }
            if (!user.process.share.hasCredit()) {
                user.hasNoCreditForCalls = true;
                continue;
            }
            if (turns == 0) {
                start = System.nanoTime();
            }
            if (turns == 0 || System.nanoTime() - start < CALLS_NS) {
                turns++;
                nextCaller = number;
                user.hasNoCreditForCalls = false;
                try {
                    if (user.calls().turn() == Need.RATE) {
                        throttle(user);
                        continue;
                    }
                } catch (RuntimeException | Error e) {
                    failed(user, e);
                    continue;
                }
            }
            if (user.wantsCallsTurn()) {
                copies.left(user.process);
            }
        }
        return turns;
    }

    /** Wakes the threads that sleep until there is a completion, or a call; also at the end of a duty cycle. */
    public void ring() {
        if (touched.isEmpty()) {
            return;
        }
        VarHandle.fullFence();
        for (int i = 0; i < touched.size(); i++) {
            ArmedRing ring = touched.get(i);
            ring.touched = false;
            if (!ring.process.isGone()) {
                ring(ring);
            }
        }
        touched.clear();
    }

    private void ring(ArmedRing ring) {
        long arm = ring.arm();
        if (arm == ArmWord.DISARMED || arm == ring.servedArm) {
            return;
        }
        ring.servedArm = arm;
        AttachedProcess process = ring.process;
        List<ProcessDoorbell> doorbells = process.doorbells;
        int number = ArmWord.doorbell(arm);
        if (number >= doorbells.size()) {
            faulty.add(process, "an arm word of a queue that names no doorbell");
            return;
        }
        doorbells.get(number).ring();
        counters.doorbells.add(1);
        process.share.doorbell();
    }

    /**
     * Whether requests were announced that were not looked at, or could be served now.
     *
     * @return whether the driver must not sleep
     */
    public boolean isBusy() {
        for (int i = 0; i < users.size(); i++) {
            RegionUser user = users.get(i);
            boolean wantsTurn = !user.active.isEmpty() || user.wantsCallsTurn();
            if (user.hasAnnouncements() || (wantsTurn && !user.throttled)) {
                return true;
            }
        }
        return !touched.isEmpty();
    }

    /**
     * The time until a process that has used up its rate may go on, or a call has to end.
     *
     * @param nowNs the time
     * @return in nanoseconds; {@link Long#MAX_VALUE} if none waits
     */
    public long waitNs(long nowNs) {
        long soonest = Long.MAX_VALUE;
        for (int i = 0; i < users.size(); i++) {
            RegionUser user = users.get(i);
            if (user.throttled) {
                soonest = Math.min(soonest, Math.max(1, copies.delayNs(user.process, nowNs)));
            }
            soonest = Math.min(soonest, user.callLimitNs(nowNs));
        }
        return soonest;
    }

    /** Takes over a policy that has changed. */
    public void policyChanged() {
        rights.policyChanged();
        users.forEach(RegionUser::changed);
    }

    /**
     * Ends the regions of a process that is gone, and takes no more of its requests.
     *
     * @param process any
     */
    public void leave(AttachedProcess process) {
        RegionUser user = of(users, process);
        if (user != null) {
            users.remove(user);
            leaving.add(user);
            user.leave();
        }
    }

    /**
     * Releases what a process that is gone had, if nothing of it is in use.
     *
     * @param process any
     * @return false if this must be called again
     */
    public boolean release(AttachedProcess process) {
        RegionUser user = of(leaving, process);
        if (user != null) {
            if (!user.isQuiet()) {
                return false;
            }
            user.close();
            leaving.remove(user);
        }
        return true;
    }

    /** Ends everything, because the driver ends. The device is closed. */
    public void closeAll() {
        users.forEach(RegionUser::leave);
        copies.forget();
        leaving.addAll(users);
        leaving.forEach(RegionUser::close);
        users.clear();
        leaving.clear();
    }
}
