// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.TcpConnections;
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
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.wait.Later;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The server's side of introductions, beside a listener of the kernel's. A connection that the kernel has accepted is
 * held until it is known whether its client goes on by rings. Thread safe; closed by its opener.
 *
 * @param <C> the kernel's connections
 */
public final class BrokeredListener<C> implements AutoCloseable {
    private static final LazyLogger LOG = new LazyLogger(BrokeredListener.class);
    private static final int MOST_ADDRESSES = 16;
    private static final int MOST_HELD = 1024;

    /** How often one call looks for connections on rings while released ones cannot be left to the kernel. */
    private static final int MOST_LOOKS = 4;

    /** The request of a connection about which the driver is not asked. */
    private static final int NOT_ASKED = -1;

    /** How long a connection is held whose client was introduced by a driver that has ended since. */
    private static final long ORPHAN_MS = 2_000;

    /** After this time without an answer the question is withdrawn, and after the next one the driver is taken for gone. */
    static final long ANSWER_MS = 2_000;

    private static final long LAST_ANSWER_MS = 1_000;

    private final Broker broker;
    private final int number;
    private final InetSocketAddress address;
    private final ListeningSocket socket;
    private final Consumer<C> closer;
    private final PeerListener listener;
    private final HeldConnection.Host<C> host = new Host();
    private final LinkClaims<C> claims;
    private final ConnectionRule introducedRule = new Rule();

    /** For clients of this network namespace, whose connections the kernel does not make; null without a socket. */
    private final ConnectionRule neighbourRule;

    /** Connections about which the driver has not decided, by their requests. */
    private final ConcurrentHashMap<Integer, HeldConnection<C>> asked = new ConcurrentHashMap<>();

    /** Connections whose clients will go on by rings. */
    private final ConcurrentHashMap<HeldConnection.Client, HeldConnection<C>> expected = new ConcurrentHashMap<>();

    /** Connections that may stay on the kernel, unless their clients have gone on by rings before. */
    private final ConcurrentLinkedQueue<HeldConnection<C>> released = new ConcurrentLinkedQueue<>();

    /** Null while none is said. */
    private volatile Device device;

    /** Held by the thread that accepts. */
    private final ReentrantLock lock = new ReentrantLock();

    /** The held connection that {@link Rule} has permitted last; null if it has not. Guarded by {@link #lock}. */
    private HeldConnection<C> permitted;

    /** Whether the last connection that {@link #accept} returned is on rings. Guarded by {@link #lock}. */
    private boolean ringsWereLast;

    private volatile boolean closed;

    BrokeredListener(
            Broker broker,
            PeerNetwork network,
            int number,
            InetSocketAddress address,
            ListeningSocket socket,
            int backlog,
            Consumer<C> closer) {
        this.socket = socket;
        this.neighbourRule = socket == null
                ? null
                : new NeighbourRule(new AddressRule(address, OptionalLong.of(socket.namespace())));
        this.broker = broker;
        this.number = number;
        this.address = address;
        this.closer = closer;
        this.listener = network.listen(() -> !released.isEmpty(), backlog);
        this.claims = new LinkClaims<>(listener, broker::receive);
    }

    /**
     * What an accept has found.
     *
     * @param <C> the kernel's connections
     * @param rings the connection on rings; null if it stays on the kernel
     * @param kernel the kernel's connection; null if the client is of this network namespace
     * @param reason why it stays on the kernel; null if it goes on by rings, or was passed
     * @param detail for a person
     */
    public record Accepted<C>(PeerSocket rings, C kernel, PeerRefusal.Reason reason, String detail) {}

    /** A listening socket of an attachment. */
    private record Device(int attachment, int socket) {}

    /** What held connections need from this listener. */
    private final class Host implements HeldConnection.Host<C> {
        @Override
        public boolean expect(HeldConnection.Client client, HeldConnection<C> held) {
            // Now: the client's next connection may be accepted before the first one is taken.
            claims.introduced(client.pid(), held.session);
            return expected.putIfAbsent(client, held) == null;
        }

        @Override
        public void ask(HeldConnection<C> held) {
            // A question that cannot be sent leaves it to its time.
            askDriver(held, held.proof.socket(), held.proof.port);
        }

        @Override
        public void released(HeldConnection<C> held) {
            released.add(held);
            listener.wakeWatchers();
        }
    }

    /** Takes the connections of clients of this network namespace. */
    private final class NeighbourRule implements ConnectionRule {
        private final AddressRule rule;

        NeighbourRule(AddressRule rule) {
            this.rule = rule;
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
            HeldConnection.Client who = new HeldConnection.Client(from.pid(), entry.client());
            permitted = expected.get(who);
            if (permitted == null) {
                // The client may be faster than the thread that receives what the driver has sent before.
                broker.receive();
                permitted = expected.get(who);
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
    void admit(UnixSocket client, UnixSocket.Credentials who, boolean near) {
        if (near && neighbourRule == null) {
            client.close();
        } else {
            listener.admit(client, who, near ? neighbourRule : introducedRule);
        }
    }

    /** Tells a driver of this listener, and of the addresses at which connections to it arrive. */
    void announce(BrokerSession session) {
        // A loopback address is reached by neighbours only.
        if (socket == null || !address.getAddress().isLoopbackAddress()) {
            announceAddresses(session);
        }
        if (socket != null) {
            session.send(new Request(
                    ControlMessage.SERVES, session.next(), number, socket.descriptor(), socket.inode(), null));
        }
    }

    private void announceAddresses(BrokerSession session) {
        try {
            Fd diag = session.needsDiag() ? TcpConnections.openSocket() : null;
            try {
                Fd[] along = diag == null ? new Fd[0] : new Fd[] {diag};
                for (InetAddress each : addresses()) {
                    InetSocketAddress at = new InetSocketAddress(each, address.getPort());
                    session.send(new Request(ControlMessage.LISTENS, session.next(), number, 1, 0, at), along);
                    along = new Fd[0];
                }
                announceDevice(session);
            } finally {
                if (diag != null) {
                    diag.close();
                }
            }
        } catch (IOException e) {
            LOG.get().log(Level.DEBUG, "{0} is not announced: {1}", address, e.getMessage());
        }
    }

    private Collection<InetAddress> addresses() throws IOException {
        if (!address.getAddress().isAnyLocalAddress()) {
            return List.of(address.getAddress());
        }
        List<InetAddress> all = ProcessFacts.localAddresses(0).stream()
                .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
                .limit(MOST_ADDRESSES)
                .toList();
        // A namespace that gets its addresses later has a listener nevertheless.
        return all.isEmpty() ? List.of(address.getAddress()) : all;
    }

    /**
     * Holds a connection that the kernel has accepted, until its client is known. {@link #accept} then returns it.
     *
     * @param connection owned by this from now on if it is held
     * @param socket of the connection; taken over if it is held
     * @param clientPort as this end sees it
     * @return false if it stays on the kernel, because there is no driver or too many are held
     */
    public boolean hold(C connection, Fd socket, int clientPort) {
        BrokerSession session = broker.session();
        if (closed || session == null || asked.size() >= MOST_HELD) {
            return false;
        }
        ByteProof proof = claims.ask(socket, clientPort, session);
        // The client takes its announcement back, fences, and reads CHALLENGE: either this thread sees that, or the
        // client sees what was asked.
        VarHandle.fullFence();
        boolean isOpen = proof != null && proof.isOpen();
        HeldConnection<C> held = new HeldConnection<>(host, session.next(), connection, session, proof);
        if (proof != null) {
            // Also if it is not open: the client may have seen what was asked nevertheless.
            await(held);
        }
        if (isOpen) {
            proof.spin();
            return true;
        }
        return ask(held, socket, clientPort);
    }

    /** Waits until one of the clients that were asked for a byte posts the connection. */
    private void await(HeldConnection<C> held) {
        asked.put(held.request, held);
        claims.await(held);
        if (closed) {
            dismissAll();
        }
    }

    /** Asks the driver which process has the other end. False, without an effect, if that is not possible. */
    private boolean ask(HeldConnection<C> held, Fd socket, int clientPort) {
        asked.put(held.request, held);
        if (!askDriver(held, socket, clientPort)) {
            if (held.proof != null) {
                // A client may go on by rings for it.
                held.lost();
                return true;
            }
            if (!held.end()) {
                // It was released meanwhile.
                return true;
            }
            asked.remove(held.request);
            return false;
        }
        if (held.proof == null) {
            socket.close();
        }
        if (closed) {
            dismissAll();
        }
        return true;
    }

    private boolean askDriver(HeldConnection<C> held, Fd socket, int clientPort) {
        boolean done =
                held.session.ask(new Request(ControlMessage.ACCEPTED, held.request, number, clientPort), held, socket);
        if (done) {
            Later.after(ANSWER_MS, TimeUnit.MILLISECONDS, () -> withdraw(held));
        }
        return done;
    }

    /**
     * Keeps a connection that is not held for the next {@link #accept}.
     *
     * @param connection owned by this from now on
     */
    public void pass(C connection) {
        new HeldConnection<>(host, NOT_ASKED, connection, null, null).release(0, "");
        if (closed) {
            dismissAll();
        }
    }

    /** The driver has not answered for long. */
    private void withdraw(HeldConnection<C> held) {
        if (asked.get(held.request) == held && !held.isExpected() && !held.isOver()) {
            held.session.send(new Request(ControlMessage.WITHDRAW, held.request));
            Later.after(LAST_ANSWER_MS, TimeUnit.MILLISECONDS, () -> {
                if (!held.isExpected()) {
                    held.lost();
                }
            });
        }
    }

    /** An introduced client stays on the kernel. */
    void released(int request) {
        HeldConnection<C> held = asked.get(request);
        if (held != null) {
            held.release(Errno.ETIMEDOUT, "the client stayed on the kernel");
        }
    }

    /** A driver has ended. What it had introduced may still go on by rings. */
    void orphaned() {
        List<HeldConnection<C>> orphans =
                asked.values().stream().filter(HeldConnection::isExpected).toList();
        if (!orphans.isEmpty()) {
            Later.after(ORPHAN_MS, TimeUnit.MILLISECONDS, () -> orphans.forEach(HeldConnection::lost));
        }
    }

    /**
     * Says where the driver's device delivers connections of this listener. Replaces what was said before.
     *
     * @param attachment the number of an attachment of this process
     * @param socket the number of a listening socket there
     */
    public void offer(int attachment, int socket) {
        device = new Device(attachment, socket);
        BrokerSession session = broker.session();
        if (session != null) {
            announceDevice(session);
        }
    }

    private void announceDevice(BrokerSession session) {
        Device at = device;
        if (at != null) {
            session.send(
                    new Request(ControlMessage.OFFERS, session.next(), number, at.attachment(), at.socket(), null));
        }
    }

    /**
     * Takes a connection that was held, because its client goes on through the driver's device.
     *
     * @param request its number, as the device says
     * @return the kernel's connection, for the caller to close; null if it is not held any more
     */
    public C claim(int request) {
        lock.lock();
        try {
            HeldConnection<C> held = asked.remove(request);
            if (held == null || held.isReturned()) {
                return null;
            }
            held.end();
            claims.forget(held);
            held.returned();
            return held.connection;
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
                HeldConnection<C> free = released.peek();
                if (free != null && free.isFree() && released.remove(free)) {
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
                HeldConnection<C> held = nextReleased();
                if (held == null) {
                    break;
                }
                // Either no client goes on by rings for it, or the client has posted it, so that the next look finds
                // it.
                if (held.proof == null || held.proof.isAbandoned()) {
                    return left(held);
                }
                released.add(held);
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
        dismissAll();
    }

    /** Takes the next connection that was released and not returned; null if there is none. */
    private HeldConnection<C> nextReleased() {
        HeldConnection<C> held = released.poll();
        while (held != null && held.isReturned()) {
            held = released.poll();
        }
        return held;
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
        asked.remove(held.request, held);
        if (held.client() != null) {
            expected.remove(held.client(), held);
        }
        claims.forget(held);
        held.returned();
        PeerRefusal.Reason reason = rings != null || held.errno() == 0 ? null : DriverIntroduction.reason(held.errno());
        return new Accepted<>(rings, held.connection, reason, held.text());
    }

    private void dismiss(HeldConnection<C> held) {
        assert lock.isHeldByCurrentThread();
        if (!held.isReturned()) {
            claims.forget(held);
            held.returned();
            closer.accept(held.connection);
        }
    }

    private void dismissAll() {
        lock.lock();
        try {
            asked.values().forEach(this::dismiss);
            released.forEach(this::dismiss);
        } finally {
            lock.unlock();
        }
    }
}
