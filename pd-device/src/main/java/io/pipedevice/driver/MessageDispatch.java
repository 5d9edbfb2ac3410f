// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.driver.account.Accounts;
import io.pipedevice.driver.account.Tally;
import io.pipedevice.driver.control.Attachments;
import io.pipedevice.driver.control.ControlHandler;
import io.pipedevice.driver.control.ControlPlane;
import io.pipedevice.driver.control.ControlRequest;
import io.pipedevice.driver.control.ControlSession;
import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.control.Reply;
import io.pipedevice.driver.data.DeviceWatch;
import io.pipedevice.driver.data.FaultyProcesses;
import io.pipedevice.driver.extension.DriverExtension;
import io.pipedevice.driver.introduction.Introductions;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.socket.SocketRequests;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import java.lang.System.Logger.Level;
import java.util.Set;

/**
 * Hands each message of a control connection to what handles its type, and counts those that are refused. Belongs to
 * the driver's thread.
 */
final class MessageDispatch implements ControlHandler {
    private static final System.Logger LOG = new LazyLogger(MessageDispatch.class).get();

    /** The messages that may carry descriptors, beside those of the extension. */
    private static final Set<Integer> CARRIERS = Set.of(
            ControlMessage.ATTACH,
            ControlMessage.ADD_REGION,
            IntroductionMessage.LISTENS,
            IntroductionMessage.CONNECTED,
            IntroductionMessage.ACCEPTED,
            IntroductionMessage.SHOWS,
            IntroductionMessage.PERMITS);

    private final LimitedLog disconnectedLines =
            LimitedLog.warning(MessageDispatch.class, "a process that has not attached is disconnected: {0}");
    private final ControlPlane control;
    private final AttachedProcesses processes;
    private final Prerequisites prerequisites;
    private final Attachments attachments;
    private final Introductions introductions;
    private final SocketRequests sockets;
    private final DriverExtension extension;
    private final FaultyProcesses faulty;
    private final DeviceWatch watch;
    private final Accounts accounts;
    private final DriverCounters counters;

    /**
     * Begins.
     *
     * @param control has the control connections
     * @param processes that are attached
     * @param prerequisites of the messages of attached processes
     * @param attachments handles messages about attachments
     * @param introductions handles messages of processes that need not attach
     * @param sockets handles messages about sockets
     * @param extension handles messages of its own
     * @param faulty gets the processes that broke a rule
     * @param watch knows whether the device is lost
     */
    MessageDispatch(
            ControlPlane control,
            AttachedProcesses processes,
            Prerequisites prerequisites,
            Attachments attachments,
            Introductions introductions,
            SocketRequests sockets,
            DriverExtension extension,
            FaultyProcesses faulty,
            DeviceWatch watch,
            Accounts accounts,
            DriverCounters counters) {
        this.control = control;
        this.processes = processes;
        this.prerequisites = prerequisites;
        this.attachments = attachments;
        this.introductions = introductions;
        this.sockets = sockets;
        this.extension = extension;
        this.faulty = faulty;
        this.watch = watch;
        this.accounts = accounts;
        this.counters = counters;
    }

    @Override
    public boolean mayCarryDescriptors(int type) {
        return CARRIERS.contains(type) || extension.mayCarryDescriptors(type);
    }

    @Override
    public Reply handle(ControlRequest request) throws Refusal {
        return handle(request.session(), now -> first(request, now));
    }

    @Override
    public Reply resume(ControlSession session, Reply.Later later) throws Refusal {
        return handle(session, later);
    }

    private Reply handle(ControlSession session, Reply.Later step) throws Refusal {
        try {
            // The driver may have slept until the message arrived.
            return step.resume(System.nanoTime());
        } catch (Refusal e) {
            if (e.errno() != Errno.EAGAIN) {
                counters.refusals.add(1);
                accounts.refused(session.account(), kind(e.errno()));
                LOG.log(Level.DEBUG, "{0} was refused: {1}", session.process(), e.getMessage());
            }
            throw e;
        } finally {
            // A process that has the answer must also see it in the counters.
            counters.publish();
        }
    }

    private static Tally kind(int errno) {
        return switch (errno) {
            case Errno.EACCES, Errno.EPERM -> Tally.REFUSED_BY_POLICY;
            case Errno.ENOBUFS, Errno.ENOMEM, Errno.EMFILE, Errno.ENFILE -> Tally.REFUSED_BY_LIMIT;
            default -> Tally.REFUSED_OTHERWISE;
        };
    }

    private Reply first(ControlRequest request, long nowNs) throws Refusal {
        int version = request.message().version();
        if (version != ControlMessage.VERSION) {
            throw new Refusal(Errno.EPROTO, ControlMessage.versionMismatch(version));
        }
        return request.process() == null
                ? ofStranger(request, nowNs)
                : prerequisites.meet(request, nowNs, now -> ofProcess(request));
    }

    private Reply ofStranger(ControlRequest request, long nowNs) throws Refusal {
        ControlSession session = request.session();
        ControlMessage message = request.message();
        if (message.type() == ControlMessage.OBSERVE) {
            return attachments.observe(request);
        }
        if (session.takesPart()) {
            return message.type() == IntroductionMessage.OFFERS
                    ? introductions.offers(request, processes.process(message.value()))
                    : introductions.handle(request, nowNs);
        }
        if (message.type() == IntroductionMessage.JOIN) {
            return introductions.join(request);
        }
        if (message.type() != ControlMessage.ATTACH) {
            throw new Refusal(Errno.EPROTO, "request of type " + message.type() + " before attach");
        }
        return attachments.attach(request, process -> processes.add(process, session));
    }

    private Reply ofProcess(ControlRequest request) throws Refusal {
        int type = request.message().type();
        if (watch.isLost() && (type == ControlMessage.CONNECT || type == ControlMessage.ADD_REGION)) {
            throw new Refusal(Errno.ENODEV, "the driver's device is lost");
        }
        return switch (type) {
            case ControlMessage.ADD_REGION -> attachments.addRegion(request);
            case ControlMessage.REMOVE_REGION -> attachments.removeRegion(request);
            case ControlMessage.ADD_DOORBELL -> attachments.addDoorbell(request);
            default -> extension.handles(type) ? extension.handle(request) : sockets.handle(request);
        };
    }

    @Override
    public void overShare() {
        counters.shareRefusals.add(1);
    }

    @Override
    public void misbehaved(ControlSession session, String reason) {
        if (session.process() == null) {
            disconnectedLines.log(reason);
            counters.refusals.add(1);
            control.dismiss(session, reason);
            introductions.left(session);
        } else {
            faulty.add(session.process(), reason);
        }
    }

    @Override
    public void ended(ControlSession session) {
        if (session.process() == null) {
            control.remove(session);
            introductions.left(session);
        } else {
            processes.left(session.process());
        }
    }

    /** Ends the sessions of participants for which work could not be done. */
    void endBroken() {
        introductions.takeBroken(session -> misbehaved(session, "an introduction that the driver cannot handle"));
    }
}
