// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.driver.control.Attachments;
import io.pipedevice.driver.control.ControlPlane;
import io.pipedevice.driver.control.ControlSession;
import io.pipedevice.driver.control.SessionSettings;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.CopyScheduler;
import io.pipedevice.driver.data.FaultyProcesses;
import io.pipedevice.driver.data.RequestReader;
import io.pipedevice.driver.data.Teardown;
import io.pipedevice.driver.extension.DriverExtension;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.ThreadConfinement;
import java.util.ArrayList;
import java.util.List;

/**
 * The attached processes, until their resources are released. Detaches processes that broke a rule ({@link
 * FaultyProcesses}). Belongs to the driver's thread.
 */
final class AttachedProcesses {
    /** The most processes a minute that are logged as attached, and as gone. */
    private static final int MOST_NORMAL_LINES = 100;

    private final LimitedLog detachedLines = LimitedLog.warning(AttachedProcesses.class, "{0} is detached: {1}");
    private final LimitedLog notReleased = LimitedLog.error(AttachedProcesses.class, "{0} cannot be released");
    private final LimitedLog attachedLines;
    private final LimitedLog leftLines;
    private final SessionSettings settings;
    private final ControlPlane control;
    private final Attachments attachments;
    private final DriverExtension extension;
    private final CopyScheduler copies;
    private final RequestReader requests;
    private final FaultyProcesses faulty;
    private final Teardown teardown;
    private final DriverCounters counters;
    private final Chores chores;
    private final ArrayList<AttachedProcess> attached = new ArrayList<>();
    private final ArrayList<ControlSession> sessions = new ArrayList<>();
    private final ArrayList<AttachedProcess> leaving = new ArrayList<>();
    private final ThreadConfinement confinement = new ThreadConfinement();
    private long nowNs;

    /**
     * Creates an empty set.
     *
     * @param control has the control connections
     * @param attachments attaches and detaches
     * @param extension has a part of each process
     * @param copies gets the sends
     * @param requests takes what processes post
     * @param faulty the processes that broke a rule
     * @param teardown closes sockets
     * @param chores does long work in steps
     */
    AttachedProcesses(
            SessionSettings settings,
            ControlPlane control,
            Attachments attachments,
            DriverExtension extension,
            CopyScheduler copies,
            RequestReader requests,
            FaultyProcesses faulty,
            Teardown teardown,
            DriverCounters counters,
            Chores chores) {
        this.settings = settings;
        this.attachedLines = normal(settings, "{0} attached");
        this.leftLines = normal(settings, "{0} left with {1} sockets");
        this.control = control;
        this.attachments = attachments;
        this.extension = extension;
        this.copies = copies;
        this.requests = requests;
        this.faulty = faulty;
        this.teardown = teardown;
        this.counters = counters;
        this.chores = chores;
    }

    private static LimitedLog normal(SessionSettings settings, String format) {
        return LimitedLog.of(AttachedProcesses.class.getName(), settings.normalLevel(), format, MOST_NORMAL_LINES);
    }

    /**
     * Sets the current time.
     *
     * @param now in nanoseconds
     */
    void time(long now) {
        nowNs = now;
    }

    /**
     * Begins a duty cycle: takes requests from each process in turn.
     *
     * @return how many
     */
    int takeRequests() {
        assert confinement.isHeldByCurrentThread();
        return requests.takeTurns(attached, leaving, nowNs);
    }

    /** Takes over the limits of a policy that has changed. */
    void policyChanged() {
        attachments.policyChanged(nowNs);
        extension.policyChanged();
    }

    /** Publishes how much of the engine each process has used. */
    void publishShares() {
        for (int i = 0; i < attached.size(); i++) {
            AttachedProcess process = attached.get(i);
            process.counters.share(process.share);
        }
    }

    /**
     * Whether a process has posted requests that were not taken yet.
     *
     * @return whether the driver must not sleep
     */
    boolean hasRequests() {
        for (int i = 0; i < attached.size(); i++) {
            if (!attached.get(i).requests.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Adds a process that has attached on a session. */
    void add(AttachedProcess process, ControlSession session) {
        attached.add(process);
        sessions.add(session);
        attachedLines.log(process);
    }

    /** An attached process; null if none has the number. */
    AttachedProcess process(int cid) {
        for (int i = 0; i < attached.size(); i++) {
            if (attached.get(i).cid == cid) {
                return attached.get(i);
            }
        }
        return null;
    }

    /** The session of a process has ended. */
    void left(AttachedProcess process) {
        if (!process.isGone()) {
            leftLines.log(process, process.sockets.count());
            leave(process, null);
        }
    }

    /**
     * Detaches the processes that broke a rule. Must be called outside all loops over processes or sockets.
     *
     * @return how many
     */
    int detachFaulty() {
        int detached = 0;
        FaultyProcesses.Fault fault = faulty.first();
        while (fault != null) {
            if (!fault.process().isGone()) {
                detachedLines.log(fault.process(), fault.reason());
                counters.detached.add(1);
                leave(fault.process(), fault.reason());
                detached++;
            }
            // Remove the fault only now: after an error the next duty cycle goes on with it.
            faulty.removeFirst();
            fault = faulty.first();
        }
        return detached;
    }

    /** Ends an attachment. Without a reason to detach it, its data are delivered first. */
    private void leave(AttachedProcess process, String reason) {
        process.leave();
        int index = attached.indexOf(process);
        attached.remove(index);
        ControlSession session = sessions.remove(index);
        try {
            if (reason == null) {
                control.remove(session);
            } else {
                control.dismiss(session, "detached: " + reason);
            }
            extension.leave(process);
        } finally {
            leaving.add(process);
            chores.add(new Departure(requests, teardown, process, reason != null));
        }
    }

    /**
     * Releases the resources of processes that have left, as soon as none is in use, and resets sockets that have
     * lingered for too long.
     */
    void bury() {
        teardown.expire(nowNs, settings.lingerNs());
        for (int i = leaving.size() - 1; i >= 0; i--) {
            AttachedProcess process = leaving.get(i);
            try {
                if (process.sockets.areReleased() && extension.release(process)) {
                    leaving.remove(i);
                    attachments.detach(process);
                }
            } catch (RuntimeException | Error e) {
                // A defect of the driver, or a lack of memory. The others are released.
                notReleased.log(e, process);
            }
        }
    }

    /**
     * Whether a closed socket waits for its peer to read.
     *
     * @return whether {@link #bury} must be called after a while
     */
    boolean isLingering() {
        return !leaving.isEmpty() || teardown.isLingering();
    }

    /**
     * Lets processes send again if their rate limit allows it.
     *
     * @return the time until the next of those that wait may send, in nanoseconds; {@link Long#MAX_VALUE} if none waits
     */
    long unthrottle() {
        return Math.min(unthrottle(attached), unthrottle(leaving));
    }

    private long unthrottle(List<AttachedProcess> processes) {
        long soonestNs = Long.MAX_VALUE;
        for (int i = 0; i < processes.size(); i++) {
            long delayNs = copies.unthrottle(processes.get(i), nowNs);
            soonestNs = delayNs == 0 ? soonestNs : Math.min(soonestNs, delayNs);
        }
        return soonestNs;
    }

    /** Closes everything, because the driver ends. */
    void closeAll() {
        extension.close();
        for (AttachedProcess process : attached) {
            process.close();
        }
        for (AttachedProcess process : leaving) {
            process.close();
        }
        attached.clear();
        leaving.clear();
    }
}
