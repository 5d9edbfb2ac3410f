// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.TcpConnections;
import io.pipedevice.linux.UrgentByte;
import io.pipedevice.peer.link.Challenge;
import io.pipedevice.peer.link.Claimant;
import io.pipedevice.peer.link.ConnectionRule;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.AcceptEntry;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** The request of a connection about which the driver is not asked. */
    private static final int NOT_ASKED = -1;

    /**
     * How long a thread that accepts waits for the byte of a client that has posted its connection. The byte was sent
     * before.
     */
    private static final long BYTE_NS = TimeUnit.MICROSECONDS.toNanos(200);

    /** How long a thread that accepts waits for a client that it has asked for a byte, and that is awake, to post. */
    private static final long POST_NS = TimeUnit.MICROSECONDS.toNanos(30);

    /** How often connections are looked at whose clients have announced them and do not post them. */
    private static final long LOOK_MS = 100;

    /** How long a connection is held whose client was introduced by a driver that has ended since. */
    private static final long ORPHAN_MS = 2_000;

    /** After this time without an answer the question is withdrawn, and after the next one the driver is taken for gone. */
    private static final long ANSWER_MS = 2_000;

    private static final long LAST_ANSWER_MS = 1_000;

    private final Broker broker;
    private final int number;
    private final InetSocketAddress address;
    private final Consumer<C> closer;
    private final PeerListener listener;

    /** Connections about which the driver has not decided, by their requests. */
    private final ConcurrentHashMap<Integer, Held> asked = new ConcurrentHashMap<>();

    /** Connections whose clients will go on by rings. */
    private final ConcurrentHashMap<Client, Held> expected = new ConcurrentHashMap<>();

    /** Connections that may stay on the kernel, unless their clients have gone on by rings before. */
    private final ConcurrentLinkedQueue<Held> released = new ConcurrentLinkedQueue<>();

    /** Null while none is said. */
    private volatile Device device;

    /** Connections whose clients were asked for a byte, by what was asked; a connection may be in it several times. */
    private final ConcurrentHashMap<Challenge, Held> challenged = new ConcurrentHashMap<>();

    /** The numbers of connections about which no driver is asked: negative. */
    private final AtomicInteger unasked = new AtomicInteger(NOT_ASKED);

    /**
     * The driver's sessions in which clients were introduced, by their links. Only sessions whose rulings are fixed: a
     * link is asked for a byte only in the session that has introduced its client.
     */
    private final ConcurrentHashMap<Claimant, BrokerSession> introduced = new ConcurrentHashMap<>();

    private final AtomicBoolean looks = new AtomicBoolean();
    private final RandomBytes random = new RandomBytes();

    /** Held by the thread that accepts. */
    private final ReentrantLock lock = new ReentrantLock();

    /** The connection that the rule has permitted last. Guarded by {@link #lock}. */
    private Held permitted;

    private volatile boolean closed;

    BrokeredListener(
            Broker broker,
            PeerNetwork network,
            int number,
            InetSocketAddress address,
            int backlog,
            Consumer<C> closer) {
        this.broker = broker;
        this.number = number;
        this.address = address;
        this.closer = closer;
        this.listener = network.listen(new Rule(), () -> !released.isEmpty(), backlog);
    }

    /**
     * What an accept has found.
     *
     * @param <C> the kernel's connections
     * @param rings the connection on rings; null if it stays on the kernel
     * @param kernel the kernel's connection
     * @param reason why it stays on the kernel; null if it goes on by rings, or was passed
     * @param detail for a person
     */
    public record Accepted<C>(PeerSocket rings, C kernel, PeerRefusal.Reason reason, String detail) {}

    /** A listening socket of an attachment. */
    private record Device(int attachment, int socket) {}

    /** A client: its process, by the number in its link's credentials, and its own address. */
    private record Client(int pid, InetSocketAddress address) {}

    private final class Held implements BrokerSession.Answer {
        private final int request;
        private final C connection;

        /** Of the driver that is asked; null if none is. */
        private final BrokerSession session;

        /** Whether the driver has said that the client will go on by rings. */
        private volatile boolean isExpected;

        /** If it will go on by a link; else null. */
        private volatile Client client;

        private volatile int errno;
        private volatile String text = "";

        private final AtomicBoolean over = new AtomicBoolean();
        private final long sinceNs = System.nanoTime();

        /** What the clients were asked that may have the other end; empty if none was. */
        private volatile List<Challenge> challenges = List.of();

        /** The byte that they were asked for. */
        private int value;

        private int port;

        /** Of the connection; null if no client was asked. Closed when it is returned. */
        private Fd socket;

        /** The client that has sent the byte. Guarded by {@link #lock}. */
        private Challenge proven;

        /** Whether it was returned to the program. Guarded by {@link #lock}. */
        private boolean returned;

        Held(int request, C connection, BrokerSession session) {
            this.request = request;
            this.connection = connection;
            this.session = session;
        }

        @Override
        public void answered(ControlMessage message, ReceivedFds fds) {
            InetSocketAddress theirs = message.peerAddress();
            if (message.status() == 0 && message.value() == 0) {
                isExpected = true;
            } else if (message.status() == 0 && theirs != null) {
                Client who = new Client(
                        new ProcessKey(message.value(), message.argument())
                                .credentials()
                                .pid(),
                        theirs);
                client = who;
                isExpected = true;
                if (expected.putIfAbsent(who, this) != null) {
                    release(Errno.EEXIST, "the client has another connection from the same port");
                }
            } else {
                release(message.status(), message.text());
            }
        }

        @Override
        public void lost() {
            release(Errno.ENODEV, "the driver has ended");
        }

        void release(int why, String words) {
            if (!over.compareAndSet(false, true)) {
                return;
            }
            errno = why;
            text = words;
            released.add(this);
            listener.wakeWatchers();
        }

        /** Waits for nothing from the clients that were asked. */
        private void forget() {
            assert lock.isHeldByCurrentThread();
            for (Challenge each : challenges) {
                challenged.remove(each, this);
            }
            if (socket != null) {
                socket.close();
            }
        }

        /** Whether a client that has posted the connection has its other end. */
        private ConnectionRule.Verdict judge(Challenge claim) {
            assert lock.isHeldByCurrentThread();
            if (claim.equals(proven)) {
                // There was no memory for the rings.
                return ConnectionRule.Verdict.TAKE;
            }
            if (!mayMeet(claim.link(), broker.session())) {
                release(Errno.ENODEV, "the driver has ended");
            }
            int got = over.get() ? UrgentByte.NONE : awaitByte();
            if (got == value && over.compareAndSet(false, true)) {
                proven = claim;
                return ConnectionRule.Verdict.TAKE;
            }
            challenged.remove(claim, this);
            if (!over.get()) {
                claim.link().claimedFalsely(got != UrgentByte.NONE);
                if (challenges.stream().noneMatch(challenged::containsKey)) {
                    release(Errno.EPROTO, "the client's byte has not come");
                }
            }
            return ConnectionRule.Verdict.REFUSE;
        }

        private int awaitByte() {
            long begin = System.nanoTime();
            try {
                while (true) {
                    int got = UrgentByte.receive(socket);
                    if (got != UrgentByte.NONE || System.nanoTime() - begin > BYTE_NS) {
                        return got;
                    }
                    Thread.onSpinWait();
                }
            } catch (LinuxException e) {
                return UrgentByte.NONE;
            }
        }

        private Accepted<C> returned(PeerSocket rings) {
            assert lock.isHeldByCurrentThread();
            returned = true;
            asked.remove(request, this);
            if (client != null) {
                expected.remove(client, this);
            }
            forget();
            return new Accepted<>(rings, connection, errno == 0 ? null : DriverIntroduction.reason(errno), text);
        }
    }

    /** Takes the connections of clients that the driver has named. */
    private final class Rule implements ConnectionRule {
        @Override
        public boolean wantsPorts() {
            return false;
        }

        @Override
        public Verdict judge(Claimant from, AcceptEntry entry) {
            assert lock.isHeldByCurrentThread();
            Challenge claim = new Challenge(from, entry.slot(), entry.generation());
            Held asked = challenged.get(claim);
            if (asked != null) {
                permitted = asked;
                return asked.judge(claim);
            }
            Client who = new Client(from.pid(), entry.client());
            permitted = expected.get(who);
            if (permitted == null) {
                // The client may be faster than the thread that receives what the driver has sent before.
                broker.receive();
                permitted = expected.get(who);
            }
            if (permitted != null) {
                broker.links().show(from, permitted.session);
                introduced(from, permitted.session);
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

    PeerListener listener() {
        return listener;
    }

    /** Tells a driver of this listener, and of the addresses at which connections to it arrive. */
    void announce(BrokerSession session) {
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
        int value = random.next();
        List<Challenge> challenges = listener.challenge(clientPort, value, link -> mayMeet(link, session));
        // The client takes its announcement back, fences, and reads CHALLENGE: either this thread sees that, or the
        // client sees what was asked.
        VarHandle.fullFence();
        if (challenges.stream().anyMatch(each -> each.isOpen(clientPort))) {
            await(new Held(unasked.decrementAndGet(), connection, null), socket, clientPort, value, challenges);
            spin(challenges);
            return true;
        }
        Held held = new Held(session.next(), connection, session);
        if (!challenges.isEmpty()) {
            // The client may have seen what was asked nevertheless.
            await(held, socket, clientPort, value, challenges);
        }
        return ask(session, held, socket, clientPort);
    }

    /** Whether the client of a link may connect without a question to the driver. */
    private boolean mayMeet(Claimant link, BrokerSession session) {
        return session != null && introduced.get(link) == session;
    }

    /** A driver has introduced the client of a link. */
    private void introduced(Claimant link, BrokerSession session) {
        if (session.isFixed() && introduced.put(link, session) == null) {
            introduced.keySet().removeIf(each -> !each.isUsable());
        }
    }

    /** Spares a wake-up: a client that is awake posts the connection within some microseconds. */
    private static void spin(List<Challenge> challenges) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < POST_NS) {
            for (Challenge each : challenges) {
                if (each.link().isWaiting()) {
                    return;
                }
            }
            Thread.onSpinWait();
        }
    }

    /** Waits until one of the clients that were asked for a byte posts the connection. */
    private void await(Held held, Fd socket, int clientPort, int value, List<Challenge> challenges) {
        held.port = clientPort;
        held.value = value;
        held.socket = socket;
        held.challenges = challenges;
        asked.put(held.request, held);
        challenges.forEach(each -> challenged.put(each, held));
        if (looks.compareAndSet(false, true)) {
            Later.after(LOOK_MS, TimeUnit.MILLISECONDS, this::look);
        }
        if (closed) {
            dismissAll();
        }
    }

    /** Releases connections that their clients do not post. */
    private void look() {
        long now = System.nanoTime();
        for (Held held : Set.copyOf(challenged.values())) {
            long age = now - held.sinceNs;
            boolean isLate = age > TimeUnit.MILLISECONDS.toNanos(ANSWER_MS);
            boolean isOld = age > TimeUnit.MILLISECONDS.toNanos(LOOK_MS);
            if (isLate || (isOld && held.challenges.stream().noneMatch(each -> each.isOpen(held.port)))) {
                held.release(Errno.ETIMEDOUT, "the client has not gone on by rings");
            }
        }
        looks.set(false);
        if (!closed && !challenged.isEmpty() && looks.compareAndSet(false, true)) {
            Later.after(LOOK_MS, TimeUnit.MILLISECONDS, this::look);
        }
    }

    /** Asks the driver which process has the other end. False, without an effect, if that is not possible. */
    private boolean ask(BrokerSession session, Held held, Fd socket, int clientPort) {
        asked.put(held.request, held);
        if (!session.ask(new Request(ControlMessage.ACCEPTED, held.request, number, clientPort), held, socket)) {
            if (!held.over.compareAndSet(false, true)) {
                // It was released meanwhile.
                return true;
            }
            asked.remove(held.request);
            held.challenges.forEach(each -> challenged.remove(each, held));
            return false;
        }
        if (held.challenges.isEmpty()) {
            socket.close();
        }
        Later.after(ANSWER_MS, TimeUnit.MILLISECONDS, () -> withdraw(session, held));
        if (closed) {
            dismissAll();
        }
        return true;
    }

    /**
     * Keeps a connection that is not held for the next {@link #accept}.
     *
     * @param connection owned by this from now on
     */
    public void pass(C connection) {
        new Held(NOT_ASKED, connection, null).release(0, "");
        if (closed) {
            dismissAll();
        }
    }

    /** The driver has not answered for long. */
    private void withdraw(BrokerSession session, Held held) {
        if (asked.get(held.request) == held && !held.isExpected && !held.over.get()) {
            session.send(new Request(ControlMessage.WITHDRAW, held.request));
            Later.after(LAST_ANSWER_MS, TimeUnit.MILLISECONDS, () -> {
                if (!held.isExpected) {
                    held.lost();
                }
            });
        }
    }

    /** An introduced client stays on the kernel. */
    void released(int request) {
        Held held = asked.get(request);
        if (held != null) {
            held.release(Errno.ETIMEDOUT, "the client stayed on the kernel");
        }
    }

    /** A driver has ended. What it had introduced may still go on by rings. */
    void orphaned() {
        List<Held> orphans =
                asked.values().stream().filter(held -> held.isExpected).toList();
        if (!orphans.isEmpty()) {
            Later.after(ORPHAN_MS, TimeUnit.MILLISECONDS, () -> orphans.forEach(Held::lost));
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
            Held held = asked.remove(request);
            if (held == null || held.returned) {
                return null;
            }
            held.returned = true;
            held.over.set(true);
            held.forget();
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
            try {
                PeerSocket rings = listener.accept();
                if (rings != null) {
                    return permitted.returned(rings);
                }
            } catch (PdException e) {
                // There is no memory for rings now. Others need none.
                failure = e;
            }
            // Now no client that was released has gone on by rings, unless there is no memory for that.
            for (Held held = released.poll(); held != null; held = released.poll()) {
                if (!held.returned) {
                    return held.returned(null);
                }
            }
            if (failure != null) {
                throw failure;
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Stops listening. Connections that are held are closed. */
    @Override
    public void close() {
        closed = true;
        broker.closed(this);
        listener.close();
        dismissAll();
    }

    private void dismiss(Held held) {
        assert lock.isHeldByCurrentThread();
        if (!held.returned) {
            held.returned = true;
            held.forget();
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
