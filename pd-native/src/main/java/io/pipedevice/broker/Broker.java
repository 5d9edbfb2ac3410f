// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.Announcement;
import io.pipedevice.peer.link.PeerLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.wait.Later;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A process's part in the introductions of a driver, which may start and end at any time. Thread safe. Lives as long as
 * its network.
 */
public final class Broker {
    private static final LazyLogger LOG = new LazyLogger(Broker.class);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** How long a thread waits for a driver's answer. It does so once: later ones only look whether it is there. */
    private static final int JOIN_TIMEOUT_MS = 3_000;

    /** A driver is asked about the first connections to a destination. */
    private static final int SURE = 8;

    /** Reaches the driver. */
    @FunctionalInterface
    public interface Endpoint {
        /**
         * Opens a control connection.
         *
         * @return the connected socket; the caller closes it
         * @throws IOException if there is no driver
         */
        UnixSocket connect() throws IOException;
    }

    private final Endpoint endpoint;
    private final PeerNetwork network;
    private final BrokerSession.Listener events = new Events();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger numbers = new AtomicInteger();
    private final ConcurrentHashMap<Integer, BrokeredListener<?>> listeners = new ConcurrentHashMap<>();
    private final ReentrantLock joining = new ReentrantLock();
    private final KnownServers known;
    private final PendingIntroductions pending = new PendingIntroductions();
    private final Neighbours neighbours;
    private final ShownLinks links = new ShownLinks(this::session);
    private final Rejoining rejoining = new Rejoining(this::join, () -> isJoined() || links.isEmpty());

    /** The session with the driver, or null. Changed under {@link #joining}, or when the session has ended. */
    private volatile BrokerSession current;

    /** Guarded by {@link #joining}. */
    private long retryAtNs = System.nanoTime();

    /** A session that its driver has not answered; null if there is none. Changed under {@link #joining}. */
    private volatile BrokerSession unanswered;

    /** The message that was logged last; guarded by {@link #joining}. */
    private String said = "";

    /**
     * Creates a broker without a driver.
     *
     * @param endpoint reaches the driver
     * @param network has the links to introduced processes
     */
    public Broker(Endpoint endpoint, PeerNetwork network) {
        this(endpoint, network, SURE);
    }

    /**
     * For tests: asks the driver about another number of connections to a destination.
     *
     * @param sure as for {@link KnownServers}
     */
    Broker(Endpoint endpoint, PeerNetwork network, int sure) {
        this.endpoint = endpoint;
        this.network = network;
        this.known = new KnownServers(sure);
        this.neighbours = new Neighbours(network, links);
    }

    /** The session with the driver; null if there is none now. */
    BrokerSession session() {
        BrokerSession session = current;
        return session == null || session.isOver() ? null : session;
    }

    /**
     * Whether this process has joined a driver.
     *
     * @return false if the next {@link #intend} returns null
     */
    public boolean isJoined() {
        return session() != null;
    }

    /** Receives what the driver has sent before this call. */
    void receive() {
        BrokerSession session = current;
        if (session != null) {
            session.receive();
        }
    }

    /**
     * Joins the driver, if there is one and this process has not joined it. Waits for four seconds at most, also for
     * another thread that joins it, and for the answer of one driver once.
     */
    public void join() {
        join(JOIN_TIMEOUT_MS);
    }

    /**
     * Begins to join a driver that has not answered another request. Does not wait for its answer.
     *
     * @return whether {@link #isUnanswered} says when the driver answers, or ends
     */
    public boolean knock() {
        join(0);
        return isUnanswered();
    }

    /**
     * Joins a driver that has just begun to serve this process, also where another attempt is not due yet. A caller
     * that publishes listeners at the driver's device afterwards finds that the driver knows them. Waits as
     * {@link #join} does.
     */
    public void joinServing() {
        // The session may be with a driver that has ended, which this thread is the first to notice.
        receive();
        joining.lock();
        try {
            boolean again = unanswered != null;
            if (session() == null) {
                tryToJoin(JOIN_TIMEOUT_MS, JOIN_TIMEOUT_MS);
            }
            if (session() == null && again && unanswered == null) {
                // The driver that had not answered has ended.
                tryToJoin(JOIN_TIMEOUT_MS, JOIN_TIMEOUT_MS);
            }
        } finally {
            joining.unlock();
        }
    }

    private void join(int timeoutMs) {
        if (session() != null) {
            return;
        }
        joining.lock();
        try {
            if (session() == null && System.nanoTime() - retryAtNs >= 0) {
                tryToJoin(timeoutMs, 0);
            }
        } finally {
            joining.unlock();
        }
    }

    /** Waits for the answer of a driver that was asked now, or for one that was asked before. */
    private void tryToJoin(int timeoutMs, int unansweredTimeoutMs) {
        BrokerSession session = unanswered;
        BrokerSession silent = null;
        try {
            boolean isNew = session == null;
            if (isNew) {
                session = BrokerSession.begin(endpoint.connect(), requests, events);
            }
            if (!session.awaitJoined(isNew ? timeoutMs : unansweredTimeoutMs)) {
                // A driver that stands still may go on, or one that is busy may answer: both are noticed at once.
                silent = session;
                return;
            }
            current = session;
            // Afterwards: a listener that is opened now and finds no session is among them.
            for (BrokeredListener<?> listener : listeners.values()) {
                listener.announce(session);
            }
            links.showAll(session);
        } catch (IOException e) {
            if (!said.equals(e.getMessage())) {
                said = String.valueOf(e.getMessage());
                LOG.get().log(Level.DEBUG, "no introductions: {0}", said);
            }
        } finally {
            // Only now: no other thread takes the driver for one that has answered while this one looks.
            unanswered = silent;
            retryAtNs = System.nanoTime() + RETRY_NS;
        }
    }

    /**
     * Whether this process waits for the answer of a driver to its joining. {@link #join} looks whether it is there.
     *
     * @return true if {@link #join} should be called again
     */
    public boolean isUnanswered() {
        return unanswered != null;
    }

    /**
     * Begins the introduction of a connection that the kernel is going to make. Never waits for an answer. The driver
     * is not asked if the destination has led to a server with which this process has a link, the driver has introduced
     * the two in its present session, and its rulings do not change.
     *
     * @param port the local port of the connection
     * @param to the destination
     * @return null if there is no driver; otherwise the caller asks or withdraws
     */
    public Introduction intend(int port, InetSocketAddress to) {
        BrokerSession session = session();
        PeerLink link = session == null ? null : known.of(to, session);
        Announcement announced = link == null ? null : link.announce(port);
        return announced == null ? intendByDriver(port, to) : new LinkIntroduction(this, session, link, announced, to);
    }

    /** Begins an introduction about which the driver is asked; null if there is none. */
    DriverIntroduction intendByDriver(int port, InetSocketAddress to) {
        BrokerSession session = session();
        if (session == null) {
            return null;
        }
        int id = session.next();
        return session.send(Request.intend(id, port))
                ? new DriverIntroduction(session, network, known, links, id, to)
                : null;
    }

    /**
     * Finds or makes the link to the listener of an address of this network namespace. Waits for the driver, for a
     * second at most, unless it has ruled on the two processes before.
     *
     * @param to an address of this namespace, and a port
     * @param hurried whether the thread serves other connections too
     * @return null if connections go through the driver's device, or there is no driver, or it does not know the
     *     listener
     * @throws PeerRefusal if the driver refuses, or no link can be made
     */
    public PeerLink neighbour(InetSocketAddress to, boolean hurried) throws PeerRefusal {
        BrokerSession session = session();
        return session == null ? null : neighbours.link(session, to, hurried);
    }

    /**
     * Whether the driver knows no listener of an address of this network namespace, so that {@link #neighbour} would
     * find none. Asks the kernel whether the listener has changed, and nothing else.
     *
     * @param to an address of this namespace, and a port
     * @return false if that is not known
     */
    public boolean isUnknown(InetSocketAddress to) {
        BrokerSession session = session();
        return session != null && neighbours.isUnknown(session, to);
    }

    /**
     * The kernel has connected to an address at which {@link #neighbour} has found no listener: for a tenth of a second
     * it {@linkplain #isUnknown is unknown}, unless another socket listens there.
     *
     * @param to the address
     */
    public void stands(InetSocketAddress to) {
        neighbours.stands(to);
    }

    /**
     * Begins to accept introduced clients, beside a kernel listener, as soon as this process has joined a
     * driver.
     *
     * @param <C> the kernel's connections
     * @param address of the kernel's listener
     * @param socket of the kernel's listener; null if clients of its network namespace are not to find it
     * @param backlog the most connections of one client that wait
     * @param closer closes those that are held at the end
     * @return the listener, for the caller to close
     */
    public <C> BrokeredListener<C> listen(
            InetSocketAddress address, ListeningSocket socket, int backlog, Consumer<C> closer) {
        BrokeredListener<C> listener =
                new BrokeredListener<>(this, network, numbers.incrementAndGet(), address, socket, backlog, closer);
        listeners.put(listener.number(), listener);
        BrokerSession session = session();
        if (session != null) {
            listener.announce(session);
        }
        return listener;
    }

    KnownServers known() {
        return known;
    }

    ShownLinks links() {
        return links;
    }

    PendingIntroductions pending() {
        return pending;
    }

    void closed(BrokeredListener<?> listener) {
        listeners.remove(listener.number());
        BrokerSession session = session();
        if (session != null) {
            listener.unannounce(session);
        }
    }

    private final class Events implements BrokerSession.Listener {
        @Override
        public void newcomer(int listener, ProcessKey client, UnixSocket socket, boolean near) {
            BrokeredListener<?> to = listeners.get(listener);
            if (to == null) {
                socket.close();
            } else {
                to.admit(socket, client.credentials(), near);
            }
        }

        @Override
        public void released(int request) {
            listeners.values().forEach(listener -> listener.released(request));
        }

        @Override
        public void called() {
            // By another thread: this one receives, and an accept may have to receive too.
            Later.after(0, TimeUnit.NANOSECONDS, () -> listeners.values().forEach(BrokeredListener::called));
        }

        @Override
        public void cut(long memory, String why) {
            links.end(memory, why);
        }

        @Override
        public void limited(long bytesPerSecond) {
            network.sendLimit().rate(bytesPerSecond);
        }

        @Override
        public void ended(BrokerSession session) {
            listeners.values().forEach(BrokeredListener::orphaned);
            rejoining.begin();
        }
    }
}
