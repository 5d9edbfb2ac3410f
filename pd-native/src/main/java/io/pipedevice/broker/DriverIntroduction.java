// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.peer.link.PeerLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.protocol.IntroductionMessage;
import io.pipedevice.wait.FairTimeout;
import io.pipedevice.wait.Later;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** An introduction by a driver, which finds out which process has the other end. */
final class DriverIntroduction implements Introduction, BrokerSession.Answer {
    /**
     * A client moves to rings within this time, or not at all: the server does not wait for ever. On busy processors
     * the first link of two processes, which run this code for the first time, takes some seconds.
     */
    private static final long VALID_NS = TimeUnit.SECONDS.toNanos(6);

    /** Spares two wake-ups: a driver that is awake refuses most connections within this time. */
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final BrokerSession session;
    private final PeerNetwork network;
    private final KnownServers known;
    private final ShownLinks links;
    private final int id;

    /** The destination that the program has named. The connection may lead elsewhere. */
    private final InetSocketAddress to;

    private final CountDownLatch over = new CountDownLatch(1);
    private volatile Runnable whenDecided;
    private volatile boolean asked;

    /** To read the socket; null before it is asked, or if it cannot be. */
    private volatile ReadPermit permit;

    /** Whether the connection is being closed, so that no one needs the socket. */
    private volatile boolean abandoned;

    /** Whether the driver was notified that the connection stays on the kernel. It notifies the server of that. */
    private volatile boolean withdrawn;

    /** Whether the driver has not answered in time. */
    private volatile boolean late;

    /** The server; set before the latch is released, or null if the connection stays on the kernel. */
    private IntroducedRendezvous server;

    /** By which the driver's device connects; 0 if the data do not go through it. Set before the latch is released. */
    private long number;

    /** When it was decided; set before the latch is released. */
    private long decidedNs;

    /** Why it stays on the kernel; set before the latch is released. */
    private int errno;

    private String text = "";

    DriverIntroduction(
            BrokerSession session,
            PeerNetwork network,
            KnownServers known,
            ShownLinks links,
            int id,
            InetSocketAddress to) {
        this.session = session;
        this.network = network;
        this.known = known;
        this.links = links;
        this.id = id;
        this.to = to;
    }

    @Override
    public void ask(Fd socket, InetSocketAddress from, Runnable decided) {
        whenDecided = decided;
        ReadPermit granted = session.permit(id);
        permit = granted;
        asked = true;
        try (socket) {
            if (granted == null) {
                errno = Errno.ENOBUFS;
                text = "too many questions at a time";
                decide();
            } else if (!session.ask(Request.connected(id, granted, from, to), this, socket)) {
                lost();
            }
        }
    }

    @Override
    public void decideWithin(long nanos) {
        awaitAnswer(new FairTimeout(System.nanoTime(), nanos));
    }

    /** Looks after each step of a timeout, and then withdraws. */
    private void awaitAnswer(FairTimeout timeout) {
        Later.after(timeout.untilNs() - System.nanoTime(), TimeUnit.NANOSECONDS, () -> {
            if (isAnswered()) {
                return;
            }
            if (timeout.goesOn()) {
                awaitAnswer(timeout);
            } else {
                withdraw();
                Later.after(
                        LAST_WAIT_NS,
                        TimeUnit.NANOSECONDS,
                        () -> afterReading(() -> {
                            late = true;
                            whenDecided.run();
                        }));
            }
        });
    }

    @Override
    public void answered(IntroductionMessage message, ReceivedFds fds) {
        if (message.isThroughDevice()) {
            number = message.ticket();
        } else if (message.status() == 0) {
            server = new IntroducedRendezvous(session, ProcessKey.named(message), message.listener(), false);
        } else {
            errno = message.status();
            text = message.text();
        }
        decide();
    }

    @Override
    public void lost() {
        errno = Errno.ENODEV;
        text = "the driver has ended";
        decide();
    }

    private void decide() {
        // A driver that answers because the question was withdrawn may be about to read the socket.
        afterReading(() -> {
            decidedNs = System.nanoTime();
            over.countDown();
            whenDecided.run();
        });
    }

    /** Runs a task when the driver does not read the socket any more, or is not expected to run again. */
    private void afterReading(Runnable task) {
        ReadPermit granted = permit;
        if (granted == null) {
            task.run();
        } else {
            granted.end(task);
        }
    }

    @Override
    public void awaitUnread() throws InterruptedException {
        ReadPermit granted = permit;
        if (granted != null) {
            granted.await(() -> abandoned);
        }
    }

    @Override
    public boolean isUnread() {
        ReadPermit granted = permit;
        return granted == null || granted.isUnread();
    }

    @Override
    public boolean isAsked() {
        return asked;
    }

    @Override
    public boolean isDecided() {
        return late || isAnswered();
    }

    private boolean isAnswered() {
        return over.getCount() == 0;
    }

    @Override
    public boolean await(long nanos) throws InterruptedException {
        long beginNs = System.nanoTime();
        if (SpinMode.inUse() != SpinMode.NEVER) {
            session.receiveUntil(this::isAnswered, Math.min(nanos, SPIN_NS));
        }
        return over.await(nanos - (System.nanoTime() - beginNs), TimeUnit.NANOSECONDS);
    }

    @Override
    public long deviceNumber() {
        return isAnswered() && !withdrawn ? number : 0;
    }

    @Override
    public boolean isDriverGone() {
        return !isAnswered() || errno == Errno.ENODEV;
    }

    @Override
    public PeerSocket connect(InetSocketAddress from, InetSocketAddress other, boolean hurried) throws PeerRefusal {
        if (!isAnswered() || withdrawn) {
            throw new PeerRefusal(PeerRefusal.Reason.HANDSHAKE_FAILED, "the driver has not answered in time");
        }
        if (server == null) {
            throw new PeerRefusal(reason(errno), text);
        }
        boolean done = false;
        try {
            PeerLink link = meet(hurried);
            if (System.nanoTime() - decidedNs > VALID_NS) {
                throw new PeerRefusal(PeerRefusal.Reason.HANDSHAKE_FAILED, "the introduction is too old");
            }
            links.show(link, session);
            PeerSocket connected = link.connect(from, other);
            // The driver would remember the introduction for a while, and remembers a limited number.
            session.send(Request.made(id));
            if (session.isFixed()) {
                known.leads(other, link, session);
            }
            done = true;
            return connected;
        } finally {
            if (!done) {
                withdraw();
            }
        }
    }

    /**
     * Finds or makes the link. An interrupt ends the wait for another thread's handshake, which is limited; this one
     * then continues, because nothing could be tried again later.
     */
    private PeerLink meet(boolean hurried) throws PeerRefusal {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return network.meet(server, hurried);
                } catch (PeerRefusal e) {
                    if (!Thread.interrupted()) {
                        throw e;
                    }
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The reason for the errno of a driver's refusal. */
    static PeerRefusal.Reason reason(int errno) {
        return switch (errno) {
            case Errno.ENOENT -> PeerRefusal.Reason.NO_RENDEZVOUS;
            case Errno.EACCES -> PeerRefusal.Reason.OTHER_USER;
            case Errno.EPERM -> PeerRefusal.Reason.POLICY;
            default -> PeerRefusal.Reason.ofErrno(errno);
        };
    }

    @Override
    public void abandon() {
        abandoned = true;
        withdraw();
    }

    @Override
    public void withdraw() {
        ReadPermit granted = permit;
        if (granted != null) {
            granted.withdraw();
        }
        withdrawn = true;
        session.send(Request.withdraw(id));
    }
}
