// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.peer.link.PeerLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.protocol.ControlMessage;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A client's connection of the kernel's, which may change to rings before its first byte. The driver knows of it from
 * before its SYN on. The owner asks when the connection stands, waits for the decision, and then connects by rings; or
 * it withdraws. Thread safe, except that one thread at a time asks, connects and withdraws.
 */
public final class Introduction implements BrokerSession.Answer {
    /** A client goes on by rings within this time, or not at all: the server does not wait for ever. */
    private static final long VALID_NS = TimeUnit.MILLISECONDS.toNanos(1_000);

    private final BrokerSession session;
    private final PeerNetwork network;
    private final int id;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile Runnable whenDecided;
    private volatile boolean asked;

    /** The server; set before the latch is released, or null if the connection stays on the kernel. */
    private IntroducedRendezvous server;

    /** By which the driver's device connects; 0 if the data do not go through it. Set before the latch is released. */
    private long number;

    /** When it was decided; set before the latch is released. */
    private long decidedNs;

    /** Why it stays on the kernel; set before the latch is released. */
    private int errno;

    private String text = "";

    Introduction(BrokerSession session, PeerNetwork network, int id) {
        this.session = session;
        this.network = network;
        this.id = id;
    }

    /**
     * Asks the driver for the server. Called once, when the kernel's connection stands and nothing was sent.
     *
     * @param socket of the connection; stays the caller's
     * @param decided runs when {@link #isDecided}, on another thread, which it must not block; or on this one
     */
    public void ask(Fd socket, Runnable decided) {
        whenDecided = decided;
        asked = true;
        if (!session.ask(new Request(ControlMessage.CONNECTED, id), this, socket)) {
            lost();
        }
    }

    @Override
    public void answered(ControlMessage message, ReceivedFds fds) {
        if (message.status() == 0 && message.value() == 0) {
            number = message.argument();
        } else if (message.status() == 0) {
            ProcessKey process = new ProcessKey(message.value(), message.argument());
            server = new IntroducedRendezvous(session, process, message.socketId());
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
        decidedNs = System.nanoTime();
        over.countDown();
        whenDecided.run();
    }

    /**
     * Whether the driver was asked.
     *
     * @return true from {@link #ask} on
     */
    public boolean isAsked() {
        return asked;
    }

    /**
     * Whether the driver has decided.
     *
     * @return whether {@link #connect} may be called
     */
    public boolean isDecided() {
        return over.getCount() == 0;
    }

    /**
     * Waits for the decision.
     *
     * @param nanos the longest wait
     * @return whether the driver has decided
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean await(long nanos) throws InterruptedException {
        return over.await(nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Whether the driver has ended, or was the first to know that it will not answer.
     *
     * @return whether the socket that was shown may be left in a state in which it sends nothing
     */
    public boolean isDriverGone() {
        return !isDecided() || errno == Errno.ENODEV;
    }

    /**
     * Whether the data go through the driver's device, after a decision.
     *
     * @return the number by which an attachment of this process connects; 0 if the data go directly, or the connection
     *     stays on the kernel
     */
    public long deviceNumber() {
        return number;
    }

    /**
     * Connects by rings, directly, after a decision. If that fails, the kernel's connection is the connection, at both ends.
     *
     * @param from the local address of the kernel's connection
     * @param to its other address
     * @param hurried whether the thread serves other connections too
     * @return the connection on rings, for the caller to close
     * @throws PeerRefusal why there is none
     */
    public PeerSocket connect(InetSocketAddress from, InetSocketAddress to, boolean hurried) throws PeerRefusal {
        if (server == null) {
            throw new PeerRefusal(reason(errno), text);
        }
        boolean done = false;
        try {
            PeerLink link = network.meet(server, hurried);
            if (System.nanoTime() - decidedNs > VALID_NS) {
                throw new PeerRefusal(PeerRefusal.Reason.HANDSHAKE_FAILED, "the introduction is too old");
            }
            PeerSocket connected = link.connect(from, to);
            done = true;
            return connected;
        } finally {
            if (!done) {
                withdraw();
            }
        }
    }

    /** The reason for the errno of a driver's refusal. */
    static PeerRefusal.Reason reason(int errno) {
        return switch (errno) {
            case Errno.ENOENT -> PeerRefusal.Reason.NO_RENDEZVOUS;
            case Errno.EACCES -> PeerRefusal.Reason.OTHER_USER;
            case Errno.EPERM -> PeerRefusal.Reason.POLICY;
            case Errno.ENOBUFS, Errno.ENOMEM, Errno.EMFILE -> PeerRefusal.Reason.NO_MEMORY;
            default -> PeerRefusal.Reason.HANDSHAKE_FAILED;
        };
    }

    /**
     * Gives the introduction up. A question is then answered soon: the connection stays on the kernel, unless the
     * driver has decided otherwise before.
     */
    public void withdraw() {
        session.send(new Request(ControlMessage.WITHDRAW, id));
    }
}
