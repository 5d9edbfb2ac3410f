// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.Challenge;
import io.pipedevice.peer.link.Claimant;
import io.pipedevice.peer.link.ConnectionRule;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.AcceptEntry;
import io.pipedevice.peer.rendezvous.AddressRule;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.stream.PeerSocket;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The server's side of introductions, beside a kernel listener. A connection that the kernel has accepted is
 * held until it is known whether its client moves to rings. Thread safe; closed by its opener.
 *
 * @param <C> the kernel's connections
 */
public final class BrokeredListener<C> implements AutoCloseable {
    /** How often one call looks for connections on rings while released ones cannot be left to the kernel. */
    private static final int MOST_LOOKS = 4;

    /**
     * After this time without an answer the question is withdrawn, and after the next one the driver is taken for gone.
     */
    static final long ANSWER_MS = 2_000;

    private final Broker broker;
    private final int number;
    private final int backlog;
    private final PeerListener listener;
    private final ListenerAnnouncement announcement;
    private final LinkClaims<C> claims;
    private final Undecided<C> undecided;
    private final ConnectionRule introducedRule = new Rule();

    /** For clients of this network namespace, whose connections the kernel does not make; null without a socket. */
    private final NeighbourRule neighbourRule;

    /** Held by the thread that accepts. */
    private final ReentrantLock lock = new ReentrantLock();

    /** The held connection that {@link Rule} has permitted last; null if it has not. Guarded by {@link #lock}. */
    private HeldConnection<C> permitted;

    /** Whether the last connection that {@link #accept} returned is on rings. Guarded by {@link #lock}. */
    private boolean ringsWereLast;

    private volatile boolean closed;

    /** Accepts from the kernel. */
    private volatile Runnable whenCalled = () -> {};

    BrokeredListener(
            Broker broker,
            PeerNetwork network,
            int number,
            InetSocketAddress address,
            ListeningSocket socket,
            int backlog,
            Consumer<C> closer) {
        this.broker = broker;
        this.number = number;
        this.backlog = backlog;
        this.neighbourRule = socket == null ? null : new NeighbourRule(address, OptionalLong.of(socket.namespace()));
        this.announcement = new ListenerAnnouncement(number, address, socket);
        Queue<HeldConnection<C>> released = new ConcurrentLinkedQueue<>();
        this.listener = network.listen(() -> !released.isEmpty(), backlog);
        this.claims = new LinkClaims<>(listener, broker::receive);
        this.undecided = new Undecided<>(number, claims, released, listener::wakeWatchers, closer, lock);
    }

    /**
     * The result of an accept.
     *
     * @param <C> the kernel's connections
     * @param rings the connection on rings; null if it stays on the kernel
     * @param kernel the kernel's connection; null if the client is of this network namespace
     * @param reason why it stays on the kernel; null if it moves to rings, or was passed
     * @param detail for a person
     */
    public record Accepted<C>(PeerSocket rings, C kernel, PeerRefusal.Reason reason, String detail) {}

    /** Takes the connections of clients of this network namespace. */
    private final class NeighbourRule implements ConnectionRule {
        private volatile AddressRule rule;

        NeighbourRule(InetSocketAddress address, OptionalLong namespace) {
            this.rule = new AddressRule(address, namespace);
        }

        void bound(InetSocketAddress address) {
            rule = new AddressRule(address, rule.namespace());
        }

        @Override
        public OptionalLong portNamespace(Fd link) {
            return rule.portNamespace(link);
        }

        @Override
        public Verdict judge(Claimant from, AcceptEntry entry) {
            assert lock.isHeldByCurrentThread();
            permitted = null;
            Verdict verdict = rule.judge(from, entry);
            BrokerSession session = broker.session();
            if (verdict == Verdict.TAKE && session != null) {
                broker.links().show(from, session);
            }
            return verdict;
        }
    }

    /** Takes the connections of clients that the driver has named. */
    private final class Rule implements ConnectionRule {
        @Override
        public OptionalLong portNamespace(Fd link) {
            return OptionalLong.empty();
        }

        @Override
        public Verdict judge(Claimant from, AcceptEntry entry) {
            assert lock.isHeldByCurrentThread();
            Challenge claim = new Challenge(from, entry.slot(), entry.generation());
            HeldConnection<C> claimed = claims.of(claim);
            if (claimed != null) {
                permitted = claimed;
                return claims.judge(claimed, claim);
            }
            HeldConnection.Client introduced = new HeldConnection.Client(from.pid(), entry.client());
            permitted = undecided.of(introduced);
            if (permitted == null) {
                // The client may be faster than the thread that receives what the driver has sent before.
                broker.receive();
                permitted = undecided.of(introduced);
            }
            if (permitted != null) {
                broker.links().show(from, permitted.session);
                claims.introduced(from.pid(), permitted.session);
                return Verdict.TAKE;
            }
            // A client that was asked for a byte may be late.
            return from.hasAsked(claim.slot(), claim.generation()) ? Verdict.REFUSE : Verdict.BREACH;
        }
    }

    /**
     * Has a program's listener accept from the kernel, and hold what it gets, while the program does not accept: a
     * client waits for that. The program may itself wait for the client.
     *
     * @param accept does not wait; called by any thread
     */
    public void whenCalled(Runnable accept) {
        whenCalled = accept;
    }

    /**
     * Whether as many connections wait for the program as the kernel would keep for it.
     *
     * @return true if no more should be accepted from the kernel before the program takes some
     */
    public boolean isFull() {
        return undecided.holds(backlog);
    }

    /** A client waits to be accepted, perhaps by another listener. */
    void called() {
        whenCalled.run();
    }

    /**
     * Learns the address at which the kernel listens, before anything is accepted.
     *
     * @param address the one that was given to {@link Broker#listen}, or the wildcard of the other family
     */
    public void bound(InetSocketAddress address) {
        if (neighbourRule != null) {
            neighbourRule.bound(address);
        }
    }

    /**
     * Returns the source that is ready when {@link #accept} finds something.
     *
     * @return the same at each call
     */
    public PdSource source() {
        return listener;
    }

    int number() {
        return number;
    }

    /** Lets a client in that the driver has introduced. */
    void admit(UnixSocket client, UnixSocket.Credentials credentials, boolean near) {
        if (near && neighbourRule == null) {
            client.close();
        } else {
            listener.admit(client, credentials, near ? neighbourRule : introducedRule);
        }
    }

    /** Announces this listener to a driver. */
    void announce(BrokerSession session) {
        announcement.send(session);
    }

    /** Announces to a driver that this listener has ended. */
    void unannounce(BrokerSession session) {
        announcement.sendEnd(session);
    }

    /**
     * Holds a connection that the kernel has accepted, until its client is known. {@link #accept} then returns it.
     *
     * @param connection owned by this from now on if it is held
     * @param socket of the connection; taken over if it is held
     * @param clientPort as this end sees it
     * @return false if it stays on the kernel, because there is no driver, it knows the listener for neighbours only,
     *     or too many are held
     */
    public boolean hold(C connection, Fd socket, int clientPort) {
        BrokerSession session = broker.session();
        if (session == null || announcement.isOfNeighbours() || undecided.isFull()) {
            return false;
        }
        ByteProof proof = claims.ask(socket, clientPort, session);
        // The client takes its announcement back, fences, and reads CHALLENGE: either this thread sees that, or the
        // client sees what was asked.
        VarHandle.fullFence();
        boolean isOpen = proof != null && proof.isOpen();
        HeldConnection<C> held = new HeldConnection<>(undecided, session.next(), connection, session, proof);
        if (proof != null) {
            // Even if the connection is not open: the client may have seen the question nevertheless.
            undecided.await(held);
        }
        if (isOpen) {
            proof.spin();
            return true;
        }
        return undecided.ask(held, socket, clientPort);
    }

    /**
     * Keeps a connection that is not held for the next {@link #accept}.
     *
     * @param connection owned by this from now on
     */
    public void pass(C connection) {
        undecided.pass(connection);
    }

    /** An introduced client stays on the kernel. */
    void released(int request) {
        undecided.release(request);
    }

    /** A driver has ended. */
    void orphaned() {
        undecided.orphaned();
    }

    /**
     * Says where the driver's device delivers connections of this listener. Replaces what was said before.
     *
     * @param attachment the number of an attachment of this process
     * @param listening the number of a listening socket there
     */
    public void offer(int attachment, int listening) {
        announcement.offer(attachment, listening);
        // Afterwards: a session that begins meanwhile announces it.
        BrokerSession session = broker.session();
        if (session != null) {
            announcement.sendDevice(session);
        }
    }

    /**
     * Takes a connection that was held, because its client continues through the driver's device.
     *
     * @param request its number, as the device says
     * @return the kernel's connection, for the caller to close; null if it is not held any more
     */
    public C claim(int request) {
        lock.lock();
        try {
            HeldConnection<C> held = undecided.takeAsked(request);
            return held == null ? null : held.connection;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Accepts a connection that was held, and whose way is known now. Never waits.
     *
     * @return null if there is none
     * @throws PdException if there is no memory for its rings at present; it continues to wait
     */
    public Accepted<C> accept() throws PdException {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            PdException failure = null;
            if (ringsWereLast) {
                // The kernel's connections have a turn, too.
                ringsWereLast = false;
                HeldConnection<C> free = undecided.pollFree();
                if (free != null) {
                    return returned(free, null);
                }
            }
            for (int i = 0; i < MOST_LOOKS; i++) {
                try {
                    permitted = null;
                    PeerSocket rings = listener.accept();
                    if (rings != null) {
                        ringsWereLast = true;
                        return permitted == null ? new Accepted<>(rings, null, null, "") : returned(permitted, rings);
                    }
                } catch (PdException e) {
                    // There is no memory for rings now. Others need none.
                    failure = e;
                }
                HeldConnection<C> held = undecided.pollReleased();
                if (held == null) {
                    break;
                }
                // Either no client moves to rings for it, or the client has posted it, so that the next look finds
                // it.
                if (held.proof == null || held.proof.isAbandoned()) {
                    return left(held);
                }
                undecided.putBack(held);
            }
            if (failure != null) {
                throw failure;
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes room for another listener at the same address: no further client finds this one. Must be followed by {@link
     * #close}.
     */
    public void withdraw() {
        broker.closed(this);
        listener.withdraw();
    }

    /** Stops listening. Connections that are held are closed. */
    @Override
    public void close() {
        closed = true;
        broker.closed(this);
        listener.close();
        undecided.close();
    }

    /** Leaves a connection to the kernel. */
    private Accepted<C> left(HeldConnection<C> held) {
        if (held.proof != null) {
            held.proof.leave();
        }
        return returned(held, null);
    }

    private Accepted<C> returned(HeldConnection<C> held, PeerSocket rings) {
        assert lock.isHeldByCurrentThread();
        undecided.returned(held);
        PeerRefusal.Reason reason = rings != null || held.errno() == 0 ? null : DriverIntroduction.reason(held.errno());
        return new Accepted<>(rings, held.connection, reason, held.text());
    }
}
