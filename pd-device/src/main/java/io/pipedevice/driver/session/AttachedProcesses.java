// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.account.Tally;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.CopyScheduler;
import io.pipedevice.driver.data.DeviceWatch;
import io.pipedevice.driver.data.FaultyProcesses;
import io.pipedevice.driver.data.RequestReader;
import io.pipedevice.driver.data.Teardown;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.ThreadConfinement;
import io.pipedevice.protocol.ControlMessage;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * The attached processes, until their resources are released. Handles their messages, and detaches processes that
 * broke a rule ({@link FaultyProcesses}). Belongs to the driver's thread.
 */
public final class AttachedProcesses implements ControlHandler {
    private static final System.Logger LOG = new LazyLogger(AttachedProcesses.class).get();

    /** The most processes a minute that are logged as attached, and as gone. */
    private static final int MOST_NORMAL_LINES = 100;

    private final LimitedLog disconnectedLines =
            LimitedLog.warning(AttachedProcesses.class, "a process that has not attached is disconnected: {0}");
    private final LimitedLog detachedLines = LimitedLog.warning(AttachedProcesses.class, "{0} is detached: {1}");
    private final LimitedLog notReleased = LimitedLog.error(AttachedProcesses.class, "{0} cannot be released");
    private final LimitedLog attachedLines;
    private final LimitedLog leftLines;
    private final SessionSettings settings;

    private final ControlPlane control;
    private final Attachments attachments;
    private final SocketControl sockets;
    private final RegionControl regions;
    private final FunctionControl functions;
    private final CopyScheduler copies;
    private final FaultyProcesses faulty;
    private final Teardown teardown;
    private final DriverCounters counters;
    private final DeviceWatch watch;
    private final RequestReader requests;
    private final Prerequisites prerequisites;
    private final Chores chores;
    private final Introductions introductions;
    private final ArrayList<AttachedProcess> attached = new ArrayList<>();
    private final ArrayList<ControlSession> sessions = new ArrayList<>();
    private final ArrayList<AttachedProcess> leaving = new ArrayList<>();
    private final ArrayList<Fd> passed = new ArrayList<>();
    private final ThreadConfinement confinement = new ThreadConfinement();
    private long nowNs;

    /**
     * Creates an empty set.
     *
     * @param settings the driver's configuration
     * @param control has the control connections
     * @param attachments attaches and detaches
     * @param sockets handles messages about sockets
     * @param regions handles messages about regions
     * @param functions handles messages about functions
     * @param copies gets the sends
     * @param faulty the processes that broke a rule
     * @param teardown closes sockets
     * @param counters of the driver
     * @param watch knows whether the device is lost
     * @param chores does long work in steps
     * @param introductions of processes that need not attach
     */
    public AttachedProcesses(
            SessionSettings settings,
            ControlPlane control,
            Attachments attachments,
            SocketControl sockets,
            RegionControl regions,
            FunctionControl functions,
            CopyScheduler copies,
            FaultyProcesses faulty,
            Teardown teardown,
            DriverCounters counters,
            DeviceWatch watch,
            Chores chores,
            Introductions introductions) {
        this.introductions = introductions;
        this.settings = settings;
        this.attachedLines = normal(settings, "{0} attached");
        this.leftLines = normal(settings, "{0} left with {1} sockets");
        this.control = control;
        this.attachments = attachments;
        this.sockets = sockets;
        this.regions = regions;
        this.functions = functions;
        this.copies = copies;
        this.faulty = faulty;
        this.teardown = teardown;
        this.counters = counters;
        this.watch = watch;
        this.chores = chores;
        this.requests = new RequestReader(copies, teardown, faulty, counters);
        this.prerequisites = new Prerequisites(requests, sockets, attachments.addresses(), chores);
    }

    private static LimitedLog normal(SessionSettings settings, String format) {
        return LimitedLog.of(AttachedProcesses.class.getName(), settings.normalLevel(), format, MOST_NORMAL_LINES);
    }

    /**
     * Sets the current time.
     *
     * @param now in nanoseconds
     */
    public void time(long now) {
        nowNs = now;
    }

    /**
     * Begins a duty cycle: takes requests from each process in turn.
     *
     * @return how many
     */
    public int takeRequests() {
        assert confinement.isHeldByCurrentThread();
        return requests.takeTurns(attached, leaving, nowNs);
    }

    /** Takes over the limits of a policy that has changed. */
    public void policyChanged() {
        attachments.policyChanged(nowNs);
        regions.operations().policyChanged();
    }

    /** Publishes how much of the engine each process has used. */
    public void publishShares() {
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
    public boolean hasRequests() {
        for (int i = 0; i < attached.size(); i++) {
            if (!attached.get(i).requests.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Reply handle(ControlRequest request) throws Refusal {
        return handle(request.session(), now -> first(request));
    }

    @Override
    public Reply resume(ControlSession session, Reply.Later later) throws Refusal {
        return handle(session, later);
    }

    private Reply handle(ControlSession session, Reply.Later step) throws Refusal {
        // The driver may have slept until the message arrived.
        time(System.nanoTime());
        try {
            return step.resume(nowNs);
        } catch (Refusal e) {
            if (e.errno() != Errno.EAGAIN) {
                counters.refusals.add(1);
                attachments.accounts().refused(session.account, kind(e.errno()));
                LOG.log(Level.DEBUG, "{0} was refused: {1}", session.process, e.getMessage());
            }
            throw e;
        } finally {
            // A process that has the answer must also see it in the counters.
            counters.publish();
        }
    }

    private Reply first(ControlRequest request) throws Refusal {
        int version = request.message().version();
        if (version != ControlMessage.VERSION) {
            throw new Refusal(Errno.EPROTO, ControlMessage.versionMismatch(version));
        }
        return request.process() == null
                ? handleStranger(request)
                : prerequisites.meet(request, nowNs, now -> handleProcess(request));
    }

    private static Tally kind(int errno) {
        return switch (errno) {
            case Errno.EACCES, Errno.EPERM -> Tally.REFUSED_BY_POLICY;
            case Errno.ENOBUFS, Errno.ENOMEM, Errno.EMFILE, Errno.ENFILE -> Tally.REFUSED_BY_LIMIT;
            default -> Tally.REFUSED_OTHERWISE;
        };
    }

    @Override
    public void answered() {
        passed.forEach(Fd::close);
        passed.clear();
    }

    private Reply handleStranger(ControlRequest request) throws Refusal {
        ControlSession session = request.session();
        ControlMessage message = request.message();
        if (message.type() == ControlMessage.OBSERVE) {
            session.observes = true;
            return attachments.observe(request);
        }
        if (session.takesPart) {
            return message.type() == ControlMessage.OFFERS
                    ? introductions.offers(request, process(message.value()))
                    : introductions.handle(request, nowNs, passed);
        }
        if (message.type() == ControlMessage.JOIN) {
            return introductions.join(request, passed);
        }
        if (message.type() != ControlMessage.ATTACH) {
            throw new Refusal(Errno.EPROTO, "request of type " + message.type() + " before attach");
        }
        return attachments.attach(request, process -> attached(session, process));
    }

    private Reply attached(ControlSession session, AttachedProcess process) {
        session.process = process;
        attached.add(process);
        sessions.add(session);
        attachedLines.log(process);
        return Reply.answer(attachments.statusPage().fd(), process.driverPageFd());
    }

    private Reply handleProcess(ControlRequest request) throws Refusal {
        int type = request.message().type();
        if (type == ControlMessage.CONNECT || type == ControlMessage.ADD_REGION) {
            checkDevice();
        }
        return switch (type) {
            case ControlMessage.ADD_REGION -> attachments.addRegion(request);
            case ControlMessage.REMOVE_REGION -> attachments.removeRegion(request);
            case ControlMessage.ADD_DOORBELL -> attachments.addDoorbell(request, passed);
            default -> {
                if (FunctionMessage.is(type)) {
                    yield functions.handle(request);
                }
                yield RegionMessage.is(type) ? regions.handle(request) : sockets.handle(request);
            }
        };
    }

    /** An attached process; null if none has the number. */
    private AttachedProcess process(int cid) {
        for (int i = 0; i < attached.size(); i++) {
            if (attached.get(i).cid == cid) {
                return attached.get(i);
            }
        }
        return null;
    }

    private void checkDevice() throws Refusal {
        if (watch.isLost()) {
            throw new Refusal(Errno.ENODEV, "the driver's device is lost");
        }
    }

    @Override
    public void overShare() {
        counters.shareRefusals.add(1);
    }

    @Override
    public void misbehaved(ControlSession session, String reason) {
        if (session.process == null) {
            disconnectedLines.log(reason);
            counters.refusals.add(1);
            control.dismiss(session, reason);
            introductions.left(session);
        } else {
            faulty.add(session.process, reason);
        }
    }

    @Override
    public void ended(ControlSession session) {
        time(System.nanoTime());
        AttachedProcess process = session.process;
        if (process == null) {
            control.remove(session);
            introductions.left(session);
        } else if (!process.gone) {
            leftLines.log(process, process.sockets());
            leave(process, null);
        }
    }

    /**
     * Detaches the processes that broke a rule. Must be called outside all loops over processes or sockets.
     *
     * @return how many
     */
    public int detachFaulty() {
        introductions.takeBroken(session -> misbehaved(session, "an introduction that the driver cannot handle"));
        int detached = 0;
        FaultyProcesses.Fault fault = faulty.first();
        while (fault != null) {
            if (!fault.process().gone) {
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
        process.gone = true;
        int index = attached.indexOf(process);
        attached.remove(index);
        ControlSession session = sessions.remove(index);
        try {
            if (reason == null) {
                control.remove(session);
            } else {
                control.dismiss(session, "detached: " + reason);
            }
            regions.operations().leave(process);
        } finally {
            leaving.add(process);
            chores.add(new Departure(requests, teardown, process, reason != null));
        }
    }

    /**
     * Releases the resources of processes that have left, as soon as none is in use, and resets sockets that have
     * lingered for too long.
     */
    public void bury() {
        teardown.expire(nowNs, settings.lingerNs());
        for (int i = leaving.size() - 1; i >= 0; i--) {
            AttachedProcess process = leaving.get(i);
            try {
                if (process.socketsClosed
                        && process.sockets() == 0
                        && regions.operations().release(process)) {
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
    public boolean isLingering() {
        return !leaving.isEmpty() || teardown.isLingering();
    }

    /**
     * Lets processes send again if their rate limit allows it.
     *
     * @return the time until the next of those that wait may send, in nanoseconds; {@link Long#MAX_VALUE} if none waits
     */
    public long unthrottle() {
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
    public void closeAll() {
        regions.operations().closeAll();
        for (AttachedProcess process : attached) {
            process.close();
        }
        for (AttachedProcess process : leaving) {
            process.close();
        }
        attached.clear();
        leaving.clear();
        passed.forEach(Fd::close);
    }
}
