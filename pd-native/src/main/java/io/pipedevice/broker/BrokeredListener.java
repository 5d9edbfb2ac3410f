// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.TcpConnections;
import io.pipedevice.peer.link.ConnectionRule;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.AcceptEntry;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

        /** Whether the driver has said that the client will go on by rings. */
        private volatile boolean isExpected;

        /** If it will go on by a link; else null. */
        private volatile Client client;

        private volatile int errno;
        private volatile String text = "";

        private final AtomicBoolean over = new AtomicBoolean();

        /** Whether it was returned to the program. Guarded by {@link #lock}. */
        private boolean returned;

        Held(int request, C connection) {
            this.request = request;
            this.connection = connection;
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

        private Accepted<C> returned(PeerSocket rings) {
            assert lock.isHeldByCurrentThread();
            returned = true;
            asked.remove(request, this);
            if (client != null) {
                expected.remove(client, this);
            }
            return new Accepted<>(rings, connection, errno == 0 ? null : Introduction.reason(errno), text);
        }
    }

    /** Takes the connections of clients that the driver has named. */
    private final class Rule implements ConnectionRule {
        @Override
        public boolean wantsPorts() {
            return false;
        }

        @Override
        public boolean permits(int client, AcceptEntry entry) {
            assert lock.isHeldByCurrentThread();
            Client who = new Client(client, entry.client());
            permitted = expected.get(who);
            if (permitted == null) {
                // The client may be faster than the thread that receives what the driver has sent before.
                broker.receive();
                permitted = expected.get(who);
            }
            return permitted != null;
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
     * @param socket of the connection; stays the caller's
     * @param clientPort as this end sees it
     * @return false if it stays on the kernel, because there is no driver or too many are held
     */
    public boolean hold(C connection, Fd socket, int clientPort) {
        BrokerSession session = broker.session();
        if (closed || session == null || asked.size() >= MOST_HELD) {
            return false;
        }
        Request request = new Request(ControlMessage.ACCEPTED, session.next(), number, clientPort);
        Held held = new Held(request.id(), connection);
        asked.put(request.id(), held);
        if (session.ask(request, held, socket)) {
            after(ANSWER_MS, () -> withdraw(session, held));
            if (closed) {
                dismissAll();
            }
            return true;
        }
        asked.remove(request.id());
        return false;
    }

    /**
     * Keeps a connection that is not held for the next {@link #accept}.
     *
     * @param connection owned by this from now on
     */
    public void pass(C connection) {
        new Held(NOT_ASKED, connection).release(0, "");
        if (closed) {
            dismissAll();
        }
    }

    /** The driver has not answered for long. */
    private void withdraw(BrokerSession session, Held held) {
        if (asked.get(held.request) == held && !held.isExpected && !held.over.get()) {
            session.send(new Request(ControlMessage.WITHDRAW, held.request));
            after(LAST_ANSWER_MS, () -> {
                if (!held.isExpected) {
                    held.lost();
                }
            });
        }
    }

    private static void after(long millis, Runnable task) {
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, Runnable::run)
                .execute(task);
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
            after(ORPHAN_MS, () -> orphans.forEach(Held::lost));
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
