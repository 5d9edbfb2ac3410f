// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UrgentByte;
import io.pipedevice.peer.link.Announcement;
import io.pipedevice.peer.link.PeerLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.ChallengeWord;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.wait.FairTimeout;
import io.pipedevice.wait.Processors;
import io.pipedevice.wait.Spinners;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A connection to a destination that has led to a server with which this process has a link. No driver is asked, unless
 * the server does not seem to have accepted the connection.
 *
 * <pre>{@literal
 *   client                                       server
 *   intent, in its memory
 *   connect      ------- the kernel's TCP -----> accept
 *                                                finds the intent
 *                <------ the kernel's TCP ------ urgent byte
 *   compares it  <------------------------------ CHALLENGE, in its memory, names both bytes
 *   urgent byte  ------- the kernel's TCP ----->
 *   posts the connection in the accept ring ---> compares the byte, and takes the connection
 * }</pre>
 *
 * <p>The server alone decides. A client that has posted the connection goes on by rings, unless the server refuses.
 */
final class LinkIntroduction implements Introduction {
    /**
     * A server that is awake asks within some microseconds, one that waits for a processor within some milliseconds.
     * After this time the driver is asked, which costs both of them more.
     */
    private static final long PROMPT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A thread that must not wait looks for this long itself: to hand over costs about as much. */
    private static final long HAND_OVER_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private enum Step {
        ANNOUNCED,
        POSTED,
        LEFT_TO_DRIVER,
        DECIDED
    }

    private final Broker broker;

    /** Of the driver that has introduced this process to the server. */
    private final BrokerSession session;

    private final PeerLink link;
    private final Announcement announced;
    private final InetSocketAddress to;

    /** Guarded by this object's monitor. */
    private final ClientProof proof;

    /** Changed under this object's monitor, like the next fields. */
    private volatile Step step = Step.ANNOUNCED;

    private volatile boolean asked;
    private volatile Fd socket;
    private InetSocketAddress local;
    private Runnable whenDecided;
    private long askedNs;

    /** Why the connection stays on the kernel; null if it does not, as far as is known. */
    private PeerRefusal refusal;

    /** The driver's part; null before it is asked, or if there is none. */
    private volatile DriverIntroduction driver;

    private boolean triedDriver;

    /** How long it may take to decide if no thread waits; 0 if a thread does. */
    private long patienceNs;

    LinkIntroduction(
            Broker broker, BrokerSession session, PeerLink link, Announcement announced, InetSocketAddress to) {
        this.broker = broker;
        this.session = session;
        this.link = link;
        this.announced = announced;
        this.to = to;
        this.proof = new ClientProof(link, announced);
    }

    @Override
    public void ask(Fd shown, InetSocketAddress from, Runnable decided) {
        synchronized (this) {
            socket = shown;
            local = from;
            whenDecided = decided;
            askedNs = System.nanoTime();
            asked = true;
            if (step == Step.DECIDED) {
                closeSocket();
            }
        }
    }

    @Override
    public boolean isAsked() {
        return asked;
    }

    @Override
    public boolean isDecided() {
        return step == Step.DECIDED || (step == Step.LEFT_TO_DRIVER && driver.isDecided());
    }

    @Override
    public long deviceNumber() {
        DriverIntroduction other = driver;
        return other == null ? 0 : other.deviceNumber();
    }

    @Override
    public boolean isDriverGone() {
        DriverIntroduction other = driver;
        return other != null && other.isAsked() && other.isDriverGone();
    }

    @Override
    public void awaitUnread() throws InterruptedException {
        DriverIntroduction other = driver;
        if (other != null) {
            other.awaitUnread();
        }
    }

    @Override
    public boolean isUnread() {
        DriverIntroduction other = driver;
        return other == null || other.isUnread();
    }

    /** Whether there is nothing to do but to wait for the driver. */
    boolean isLeftToDriver() {
        return step == Step.LEFT_TO_DRIVER;
    }

    /** Does what can be done now; whether it is decided. */
    synchronized boolean advance() {
        if (step == Step.ANNOUNCED && link.isLeft(announced)) {
            link.forget(announced);
            decide(leftToKernel());
        }
        if (step == Step.ANNOUNCED) {
            int value = isPermitted() ? link.challenge(announced) : ChallengeWord.NONE;
            if (value != ChallengeWord.NONE) {
                answer(value);
            } else if (!isPermitted() || System.nanoTime() - askedNs > PROMPT_NS) {
                askDriver(false);
            }
        }
        if (step == Step.POSTED) {
            switch (link.answer(announced)) {
                case TAKEN -> decide(null);
                case REFUSED -> {
                    broker.known().hasSeveral(to);
                    stay(new PeerRefusal(PeerRefusal.Reason.HANDSHAKE_FAILED, "the server has not got the byte"));
                }
                case NONE -> {
                    if (link.isLeft(announced)) {
                        stay(leftToKernel());
                    }
                }
            }
        }
        return isDecided();
    }

    /** The server asks for a byte. Answers if the server has shown that it has the other end. */
    private void answer(int value) {
        switch (proof.check(socket)) {
            case RIGHT -> post(value);
            case OTHER -> {
                // Another server has it: the destination leads there now. This one may have another client of the port.
                broker.known().hasSeveral(to);
                askDriver(true);
            }
            case SILENT -> {}
        }
    }

    private static PeerRefusal leftToKernel() {
        return new PeerRefusal(PeerRefusal.Reason.HANDSHAKE_FAILED, "the server has left it to the kernel");
    }

    /** The connection that was posted stays on the kernel. */
    private void stay(PeerRefusal why) {
        proof.abort();
        decide(why);
    }

    /** Shows the server that this process has the other end of its connection. */
    private void post(int value) {
        try {
            proof.post(socket, value, local, to);
            step = Step.POSTED;
            closeSocket();
        } catch (LinuxException e) {
            link.forget(announced);
            decide(new PeerRefusal(PeerRefusal.Reason.HANDSHAKE_FAILED, e.getMessage()));
        } catch (PeerRefusal e) {
            decide(e);
        }
    }

    /**
     * The server does not seem to have the connection. Asks the driver, which knows.
     *
     * @param asked whether the server has asked for a byte, and does not get it
     */
    private void askDriver(boolean asked) {
        DriverIntroduction other = triedDriver && !asked ? null : broker.intendByDriver(announced.port(), to);
        triedDriver = true;
        if (other == null) {
            if (asked || !isPermitted()) {
                link.forget(announced);
                decide(new PeerRefusal(PeerRefusal.Reason.HANDSHAKE_FAILED, "the server is gone, or the driver"));
            }
            // Else it is slow, or another one has the connection: there is no process to ask.
            return;
        }
        if (asked) {
            link.forget(announced);
        } else if (!revoke()) {
            other.withdraw();
            return;
        }
        driver = other;
        step = Step.LEFT_TO_DRIVER;
        other.ask(socket, local, whenDecided);
        socket = null;
        if (patienceNs > 0) {
            other.decideWithin(patienceNs);
        }
    }

    /** Takes the intent back. False if the server has found it before. */
    private boolean revoke() {
        if (link.revoke(announced)) {
            return true;
        }
        if (isPermitted()) {
            return false;
        }
        link.forget(announced);
        return true;
    }

    /** Whether the connection may be made without a question to the driver. */
    private boolean isPermitted() {
        return broker.session() == session && link.isUsable();
    }

    private void decide(PeerRefusal why) {
        refusal = why;
        step = Step.DECIDED;
        closeSocket();
        if (whenDecided != null) {
            whenDecided.run();
        }
    }

    private void closeSocket() {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }

    @Override
    public boolean await(long nanos) throws InterruptedException {
        long begin = System.nanoTime();
        boolean spins = false;
        try {
            while (!advance() && driver == null) {
                long waited = System.nanoTime() - begin;
                if (waited >= nanos) {
                    return false;
                }
                if (spins != AnswerPauses.isYield(waited)) {
                    spins = !spins;
                    count(spins);
                }
                if (!spins || !awaitByte()) {
                    AnswerPauses.pause(waited);
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } finally {
            if (spins) {
                count(false);
            }
        }
        DriverIntroduction other = driver;
        return other == null || other.await(nanos - (System.nanoTime() - begin));
    }

    private static void count(boolean spins) {
        if (spins) {
            Spinners.OF_PROCESS.enter(System.nanoTime());
        } else {
            Spinners.OF_PROCESS.leave();
        }
    }

    /**
     * Sleeps until the server's byte comes, for a millisecond at most, if the server may need this thread's processor
     * for that. A virtual thread would keep its carrier.
     *
     * @return false if it has come, or sleeping does not pay
     */
    private boolean awaitByte() {
        Fd awaited = socket;
        if (step != Step.ANNOUNCED || awaited == null || Thread.currentThread().isVirtual() || !isProcessorWanted()) {
            return false;
        }
        count(false);
        try {
            return !UrgentByte.await(awaited, 1) || link.challenge(announced) != ChallengeWord.NONE;
        } catch (LinuxException e) {
            return false;
        } finally {
            count(true);
        }
    }

    /** Whether the server may need this thread's processor to send its byte. */
    private static boolean isProcessorWanted() {
        long now = System.nanoTime();
        return Spinners.OF_PROCESS.isCrowded(now) || Processors.OF_MACHINE.areWanted(now);
    }

    @Override
    public void decideWithin(long nanos) {
        long begin = System.nanoTime();
        synchronized (this) {
            patienceNs = nanos;
        }
        while (!advance() && !isLeftToDriver()) {
            long waited = System.nanoTime() - begin;
            if (waited >= HAND_OVER_NS) {
                broker.pending().add(this, new FairTimeout(begin, nanos));
                return;
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public PeerSocket connect(InetSocketAddress from, InetSocketAddress other, boolean hurried) throws PeerRefusal {
        DriverIntroduction introduced = driver;
        if (introduced != null) {
            try {
                return introduced.connect(from, other, hurried);
            } catch (PeerRefusal e) {
                if (e.reason() == PeerRefusal.Reason.NO_RENDEZVOUS) {
                    broker.known().hasSeveral(to);
                }
                throw e;
            }
        }
        synchronized (this) {
            if (step == Step.ANNOUNCED) {
                // No one waits any more.
                withdraw();
            }
            if (step == Step.POSTED) {
                stay(leftToKernel());
            }
            if (refusal != null) {
                throw refusal;
            }
            PeerSocket connected = proof.take();
            if (connected == null) {
                throw new PeerRefusal(PeerRefusal.Reason.HANDSHAKE_FAILED, "the connection was given up");
            }
            return connected;
        }
    }

    @Override
    public void abandon() {
        withdraw();
        DriverIntroduction other = driver;
        if (other != null) {
            other.abandon();
        }
        synchronized (this) {
            if (proof.isHeld()) {
                stay(new PeerRefusal(PeerRefusal.Reason.HANDSHAKE_FAILED, "the connection was given up"));
            }
        }
    }

    @Override
    public void withdraw() {
        synchronized (this) {
            if (step == Step.ANNOUNCED) {
                if (!asked) {
                    link.forget(announced);
                } else if (!revoke()) {
                    // The server waits for the connection.
                    advance();
                }
                if (step == Step.ANNOUNCED) {
                    link.forget(announced);
                    decide(new PeerRefusal(PeerRefusal.Reason.HANDSHAKE_FAILED, "the server has not accepted in time"));
                }
            }
            if (step == Step.POSTED && !link.isRevoked(announced)) {
                // The server will find the connection. If it refuses, the connection is reset.
                decide(null);
            } else if (step == Step.POSTED && proof.isAnswerLate()) {
                // The server was stopped while it decided. If it decides for rings, these are reset.
                stay(leftToKernel());
            }
        }
        DriverIntroduction other = driver;
        if (other != null) {
            other.withdraw();
        }
    }
}
