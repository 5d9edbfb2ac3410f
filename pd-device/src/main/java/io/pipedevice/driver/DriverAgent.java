// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.device.Device;
import io.pipedevice.driver.account.AccountStore;
import io.pipedevice.driver.account.Accounts;
import io.pipedevice.driver.control.Admission;
import io.pipedevice.driver.control.Attachments;
import io.pipedevice.driver.control.ControlPlane;
import io.pipedevice.driver.control.SessionSettings;
import io.pipedevice.driver.data.Completions;
import io.pipedevice.driver.data.ConnectionTable;
import io.pipedevice.driver.data.CopyScheduler;
import io.pipedevice.driver.data.DeviceWatch;
import io.pipedevice.driver.data.FaultyProcesses;
import io.pipedevice.driver.data.Notifier;
import io.pipedevice.driver.data.RequestReader;
import io.pipedevice.driver.data.Teardown;
import io.pipedevice.driver.extension.DriverExtension;
import io.pipedevice.driver.extension.DriverParts;
import io.pipedevice.driver.identity.Routes;
import io.pipedevice.driver.introduction.Introductions;
import io.pipedevice.driver.policy.file.PolicySource;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.CycleClock;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.socket.SocketRequests;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.SleepWord;
import io.pipedevice.protocol.StatusPageDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Clock;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;

/**
 * PD Driver's duty cycle: takes requests from all processes in turn, has the data copied, notifies the processes, and
 * serves the control connections at intervals. When there is nothing to do it spins for a while, and then sleeps in
 * epoll_wait(2).
 *
 * <p>One thread runs this agent, with the agent itself as the idle strategy. All state of the driver belongs to that
 * thread.
 */
final class DriverAgent implements Agent, IdleStrategy {
    private final LimitedLog notAttached = LimitedLog.warning(DriverAgent.class, "cannot attach: {0}");
    private final LimitedLog notWaiting =
            LimitedLog.error(DriverAgent.class, "the driver cannot wait for its processes");
    private static final long CONTROL_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long WATCH_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long WATCH_INTERVAL_MS = 10;
    private static final long MS_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LINGER_INTERVAL_MS = 100;

    private final PolicySource policy;
    private final Device device;
    private final DriverCounters counters;
    private final DriverCounters.Count policyRules;
    private final Accounts accounts;
    private final Attachments attachments;
    private final MemorySegment statusPage;
    private final ControlPlane control;
    private final SocketWatch sockets;
    private final CopyScheduler copies;
    private final Completions completions;
    private final Teardown teardown;
    private final AttachedProcesses processes;
    private final MessageDispatch messages;
    private final DriverExtension extension;
    private final Introductions introductions;
    private final Notifier notifier;
    private final Routes routes;
    private final DeviceWatch watch;
    private final Chores chores = new Chores();
    private final Disposal disposal = new Disposal();
    private final EventFd signal;
    private final CycleClock cycles;
    private final long spinNs;

    /** Written by other threads. */
    private final ConcurrentLinkedQueue<UnixSocket> arrivals = new ConcurrentLinkedQueue<>();

    private volatile boolean stopping;

    private long nowNs;
    private long controlAtNs;
    private long watchAtNs;
    private long idleSinceNs;
    /** Number of descriptors that were being closed when the counters were last published. */
    private int closing;

    /** The changes of the policy that were taken over. */
    private long policyChanges;

    private boolean idle;

    DriverAgent(DriverContext context, PolicySource policy, Device device, LockedDirectory directory, EventFd signal)
            throws IOException {
        SessionSettings settings = context.sessions();
        this.policy = policy;
        this.device = device;
        this.signal = signal;
        this.spinNs = context.spinNs();
        this.counters = new DriverCounters(context.maxProcesses(), device.health());
        this.policyRules = counters.policy(policy.name());
        policyRules.set(policy.size());
        this.cycles = new CycleClock(counters);
        Admission admission =
                directory == null ? null : new Admission(directory.socket(), disposal, counters, context.guarded());
        this.control = new ControlPlane(admission, signal, disposal, context.maxControls());
        this.sockets = new SocketWatch(directory, control);
        Clock clock = Clock.systemUTC();
        this.accounts = new Accounts(AccountStore.open(context.directory(), clock), clock);
        this.attachments = new Attachments(settings, policy, device, counters, accounts, disposal, chores);
        this.statusPage = attachments.statusPage().memory();
        FaultyProcesses faulty = new FaultyProcesses();
        this.notifier = new Notifier(faulty, counters);
        ConnectionTable connections = new ConnectionTable(context.maxConnections());
        this.routes = new Routes(counters);
        this.completions = new Completions(device, connections, notifier, faulty, counters);
        this.copies = new CopyScheduler(device, completions, faulty, counters);
        this.introductions =
                new Introductions(counters, accounts, policy, settings.limits().bytesPerSecond(), signal::signal);
        SocketRequests socketRequests = new SocketRequests(
                connections,
                routes,
                attachments.addresses(),
                chores,
                copies,
                notifier,
                counters,
                policy,
                introductions);
        this.teardown = new Teardown(copies, connections, socketRequests::released, notifier, faulty, counters, chores);
        this.extension = context.extension(new DriverParts(
                device, attachments, copies, completions, policy, faulty, chores, disposal, counters, signal::signal));
        this.watch = new DeviceWatch(device, copies, completions, teardown, counters, context.deviceTimeoutNs());
        RequestReader requests = new RequestReader(copies, teardown, faulty, counters);
        this.processes = new AttachedProcesses(
                settings, control, attachments, extension, copies, requests, faulty, teardown, counters, chores);
        this.messages = new MessageDispatch(
                control,
                processes,
                new Prerequisites(requests, socketRequests, attachments.addresses(), chores),
                attachments,
                introductions,
                socketRequests,
                extension,
                faulty,
                watch,
                accounts,
                counters);
        device.onInterrupt(signal::signal);
        publishCounters();
    }

    @Override
    public String roleName() {
        return "pd-driver";
    }

    /** Hands over the driver's end of a connection from its own process. Any thread. */
    void attach(UnixSocket socket) {
        arrivals.add(socket);
        signal.signal();
    }

    /** Ends the agent at its next duty cycle. Any thread. */
    void stop() {
        stopping = true;
        signal.signal();
    }

    private void admit() {
        for (UnixSocket socket = arrivals.poll(); socket != null; socket = arrivals.poll()) {
            try {
                control.add(socket, messages);
            } catch (LinuxException e) {
                notAttached.log(e.getMessage());
            }
        }
    }

    @Override
    public int doWork() {
        if (stopping) {
            throw new AgentTerminationException();
        }
        try {
            return dutyCycle();
        } catch (Error e) {
            throw survived(e);
        }
    }

    /**
     * Converts an error to an exception. An {@code Error} would make the runner end the driver's thread, and all
     * processes would wait for ever. An error in the handling of one message, such as a class that cannot be loaded,
     * is logged like any other defect.
     */
    private static RuntimeException survived(Error error) {
        return new IllegalStateException("the driver continues after " + error, error);
    }

    private int dutyCycle() {
        time();
        long startNs = nowNs;
        cycles.begin(startNs);
        int work = processes.takeRequests();
        work += extension.work(nowNs);
        work += copies.submit(nowNs, teardown);
        if (!watch.isLost()) {
            work += device.poll();
        }
        int completed = completions.complete(teardown);
        if (completed > 0) {
            work += completed;
            watch.progress();
        }
        work += chores.run(nowNs, work > 0);
        work += notifier.run(nowNs);
        extension.wake();
        // After a turn of messages, data get at least as much of the driver's time.
        long rest = CONTROL_INTERVAL_NS;
        if (work > 0) {
            rest = Math.max(rest, Math.min(control.turnNs(), Chores.LONGEST_REST_NS));
        } else if (introductions.expectsQuestion(nowNs)) {
            rest = 0;
        }
        if (nowNs - controlAtNs > rest) {
            work += serveControl(0);
        }
        messages.endBroken();
        work += processes.detachFaulty();
        if (work > 0) {
            cycles.end(startNs);
        }
        return work;
    }

    private void time() {
        nowNs = System.nanoTime();
        processes.time(nowNs);
    }

    /** Serves control connections and timeouts. */
    private int serveControl(long timeoutMillis) {
        int served = 0;
        try {
            served = control.poll(timeoutMillis, messages);
            introductions.settle(System.nanoTime(), control.isTurnComplete(), control.rounds());
            if (introductions.isUnsettled()) {
                served += control.poll(0, messages);
                introductions.settle(System.nanoTime(), control.isTurnComplete(), control.rounds());
            }
        } catch (LinuxException e) {
            notWaiting.log(e);
        }
        admit();
        time();
        controlAtNs = nowNs;
        control.expire(nowNs, messages);
        sockets.turn(nowNs);
        followPolicy();
        processes.unthrottle();
        processes.bury();
        served += extension.finish();
        accounts.turn(nowNs);
        if (nowNs - watchAtNs > WATCH_INTERVAL_NS) {
            watchAtNs = nowNs;
            if (!watch.isLost()) {
                watch.check(nowNs);
            }
        }
        publishCounters();
        return served;
    }

    /** Applies the policy that the watching thread has read, or counts its failure to read it. */
    private void followPolicy() {
        if (policy.changes() == policyChanges) {
            return;
        }
        policyChanges = policy.changes();
        policyRules.set(policy.size());
        counters.policyReloads.set(policy.reloads());
        counters.policyFailures.set(policy.failures());
        processes.policyChanged();
        introductions.policyChanged(nowNs);
    }

    private void publishCounters() {
        counters.takeOver();
        processes.publishShares();
        if (disposal.underWay() != closing) {
            closing = disposal.underWay();
            counters.closing.set(closing);
        }
        counters.publish();
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck")
    public void idle(int workCount) {
        if (workCount > 0) {
            idle = false;
            return;
        }
        if (!idle) {
            idle = true;
            idleSinceNs = nowNs;
        }
        if (nowNs - idleSinceNs >= spinNs) {
            try {
                sleep();
            } catch (Error e) {
                throw survived(e);
            }
            idle = false;
        } else {
            // The thread that will bring work may be waiting for this processor.
            Thread.yield();
        }
    }

    /** Announces sleep, checks for work once more, and waits for a doorbell, a message, an interrupt or the timeout. */
    private void sleep() {
        SleepWord.announce(statusPage, StatusPageDescriptor.SLEEP_OFFSET);
        try {
            time();
            long waitNs = Math.min(processes.unthrottle(), extension.waitNs(nowNs));
            if (processes.hasRequests()
                    || extension.isBusy()
                    || copies.isBusy()
                    || notifier.hasTouched()
                    || chores.hasWork()
                    || !completions.requestInterrupts()) {
                return;
            }
            counters.sleeps.add(1);
            publishCounters();
            cycles.begin(System.nanoTime());
            long now = System.nanoTime();
            serveControl(earlier(longestSleepMs(waitNs), earlier(accounts.sleepMs(now), sockets.sleepMs(now))));
            cycles.end(control.turnStartNs());
        } finally {
            SleepWord.awake(statusPage, StatusPageDescriptor.SLEEP_OFFSET);
            completions.cancelInterrupts();
        }
    }

    /** The shorter of two timeouts; -1 means no timeout. */
    private static long earlier(long one, long other) {
        return one < 0 || (other >= 0 && other < one) ? other : one;
    }

    /**
     * How long the driver may sleep: until the next work that no event announces; -1 for no limit.
     *
     * @param waitNs until a process that has used up its rate may send again, or the extension has
     *     work
     */
    private long longestSleepMs(long waitNs) {
        if (introductions.isUnsettled()) {
            return 0;
        }
        if (completions.outstanding() > 0 || copies.isHeld() || introductions.waitsForQuestion()) {
            return Math.min(WATCH_INTERVAL_MS, roundedUpToMs(waitNs));
        }
        return processes.isLingering()
                        || control.waitsForTime()
                        || introductions.waitsForTime()
                        || waitNs < Long.MAX_VALUE
                ? Math.min(LINGER_INTERVAL_MS, roundedUpToMs(waitNs))
                : -1;
    }

    private static long roundedUpToMs(long ns) {
        return (ns - 1) / MS_NS + 1;
    }

    @Override
    public void idle() {
        idle(0);
    }

    @Override
    public void reset() {
        idle = false;
    }

    @Override
    public String alias() {
        return roleName();
    }

    @Override
    public void onClose() {
        arrivals.forEach(UnixSocket::close);
        sockets.close();
        control.close();
        introductions.close();
        routes.close();
        extension.stop();
        chores.finish(nowNs);
        device.close();
        processes.closeAll();
        chores.finish(nowNs);
        accounts.close();
        attachments.close();
        counters.close();
        signal.close();
        disposal.close();
    }
}
