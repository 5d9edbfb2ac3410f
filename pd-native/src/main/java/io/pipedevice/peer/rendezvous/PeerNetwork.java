// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.peer.link.ClientLink;
import io.pipedevice.peer.link.LinkOwner;
import io.pipedevice.peer.link.LinkParts;
import io.pipedevice.peer.link.LinkSide;
import io.pipedevice.peer.link.PeerLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.link.Sweeper;
import io.pipedevice.peer.ring.PeerBudget;
import io.pipedevice.peer.ring.PeerMonitor;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.stream.SendLimit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * The listeners and links of this process. Thread safe. Closed by its owner, which takes all of them out of use, as the
 * end of the process would. Sockets remain open until their owners close them.
 */
public final class PeerNetwork implements AutoCloseable {
    private static final int HURRY = 2;

    private final PeerOptions options;
    private final PeerMonitor monitor;

    /** Whether the kernel, if it can, refuses descriptors from clients that are not accepted yet. */
    private final boolean guarded;

    /** Never closed, because links can outlive this network; its threads end by themselves. */
    private final Disposal disposal;

    /** Never closed either, for the same reasons. */
    private final Sweeper sweeper;

    private final Set<PeerListener> listeners = ConcurrentHashMap.newKeySet();
    private final Set<LinkSide> links = ConcurrentHashMap.newKeySet();

    /** The links to which addresses were found to lead. */
    private final ConcurrentHashMap<InetSocketAddress, Route> routes = new ConcurrentHashMap<>();

    /** Addresses that were refused recently because of the kernel's answers. */
    private final Forbearance<InetSocketAddress> refused = new Forbearance<>();

    private final PortRule rule;
    private final Runnable whenForged;

    private final Meetings meetings = new Meetings(new Linking());
    private final UnknownListeners unknown = new UnknownListeners();
    private final LinkOwner owner = new Owner();
    private final SendLimit sendLimit = new SendLimit();

    /** The timeout of a handshake for a thread that may wait. */
    private final Patience patience;

    /** The timeout for a thread that serves other connections, too. */
    private final long hurriedNanos;

    private volatile boolean closed;

    /**
     * Creates an empty network that reports forged addresses.
     *
     * @param options the user's
     * @param whenForged runs whenever a client is refused because it does not hold the address that it claims; takes no
     *     lock
     * @param monitor counts what peers do
     */
    public PeerNetwork(PeerOptions options, Runnable whenForged, PeerMonitor monitor) {
        this(options, PortRule.KERNEL, new Disposal(), new Sweeper(), whenForged, monitor, true);
        // The budget belongs to the process, as do the counters.
        PeerBudget.PROCESS.monitor(monitor);
    }

    /**
     * Creates an empty network with the options of the system properties. An {@link IllegalArgumentException} names a
     * property whose value is not allowed.
     */
    public PeerNetwork() {
        this(PeerOptions.read(), PortRule.KERNEL, new Disposal(), new Sweeper(), () -> {}, PeerMonitor.NONE, true);
    }

    /** For tests: a process that has a name is believed. */
    PeerNetwork(int handshakeMillis) {
        this(handshakeMillis, new Disposal(), new Sweeper());
    }

    /** For tests: a process that has a name is believed. */
    PeerNetwork(int handshakeMillis, Disposal disposal, Sweeper sweeper) {
        this(handshakeMillis, PortRule.NAME_ALONE, disposal, sweeper);
    }

    PeerNetwork(int handshakeMillis, PortRule rule, Disposal disposal, Sweeper sweeper) {
        this(handshakeMillis, rule, disposal, sweeper, () -> {});
    }

    PeerNetwork(int handshakeMillis, PortRule rule, Disposal disposal, Sweeper sweeper, Runnable whenForged) {
        this(
                PeerOptions.read().withHandshakeMillis(handshakeMillis),
                rule,
                disposal,
                sweeper,
                whenForged,
                PeerMonitor.NONE,
                true);
    }

    PeerNetwork(
            PeerOptions options,
            PortRule rule,
            Disposal disposal,
            Sweeper sweeper,
            Runnable whenForged,
            PeerMonitor monitor,
            boolean guarded) {
        this.options = options;
        this.rule = rule;
        this.whenForged = whenForged;
        this.monitor = monitor;
        this.guarded = guarded;
        this.disposal = disposal;
        // No method reference: the first one would slow down the start of the JVM.
        disposal.monitor(new IntConsumer() {
            @Override
            public void accept(int change) {
                monitor.closing(change);
            }
        });
        this.sweeper = sweeper;
        long patienceNanos = TimeUnit.MILLISECONDS.toNanos(options.handshakeMillis());
        patience = Patience.fair(patienceNanos);
        hurriedNanos = patienceNanos / HURRY;
    }

    /** The user's options for all connections. */
    PeerOptions options() {
        return options;
    }

    /**
     * Publishes a listening address.
     *
     * @param address the address of the kernel's socket; any-local means all IPv4 addresses, or those of both families
     * @param backlog the most connections of one client process that may wait to be accepted, limited to 1 to 16384
     * @return the listener, for the caller to close
     * @throws PdException EADDRINUSE if the address is published already; EMFILE and the like
     */
    public PeerListener listen(InetSocketAddress address, int backlog) throws PdException {
        requireOpen();
        try {
            PeerListener listener = PeerListener.open(this, address, backlog);
            listeners.add(listener);
            if (closed) {
                listener.close();
            }
            return listener;
        } catch (LinuxException e) {
            throw new PdException(e.errno(), e.getMessage());
        }
    }

    /**
     * Opens a listener whose clients a third process introduces, {@link PeerListener#admit}.
     *
     * @param others whether the thread that accepts has something else to do, so that the listener counts as ready;
     *     after a change {@link PeerListener#wakeWatchers} is called
     * @param backlog as for {@link #listen}
     * @return the listener, for the caller to close
     */
    public PeerListener listen(BooleanSupplier others, int backlog) {
        requireOpen();
        PeerListener listener = PeerListener.introduced(this, others, backlog);
        listeners.add(listener);
        if (closed) {
            listener.close();
        }
        return listener;
    }

    /**
     * Finds or makes the link of a rendezvous.
     *
     * @param way to the listener
     * @param hurried whether the thread serves other connections too, and so waits for half the time
     * @return the link, which ends by itself
     * @throws PeerRefusal if no link can be made
     */
    public PeerLink meet(Rendezvous way, boolean hurried) throws PeerRefusal {
        requireOpen();
        return meetings.meet(way, hurried ? Patience.exactly(hurriedNanos) : patience);
    }

    /**
     * Finds or makes the link to the listener of an address. The handshake's timeout is
     * {@code pipedevice.handshake.millis}, counted from its beginning. A timeout does not end the handshake: there is a
     * link as soon as the listener answers.
     *
     * @param to an address of this host, which the caller has checked: a listener on all addresses does not check it
     * @return the link, which ends by itself
     * @throws PeerRefusal if no link can be made
     */
    public PeerLink meet(InetSocketAddress to) throws PeerRefusal {
        return meet(to, patience);
    }

    /**
     * As {@link #meet(InetSocketAddress)}, for a thread that serves other connections too: waits for at most half of
     * the time. That is long enough for a listener that starts or collects garbage, and keeps a stopped listener from
     * blocking this thread for longer.
     *
     * @param to an address of this host
     * @param most the longest wait, in milliseconds; more than 0
     * @return the link, which ends by itself
     * @throws PeerRefusal if no link can be made
     */
    public PeerLink meetSoon(InetSocketAddress to, long most) throws PeerRefusal {
        return meet(to, Patience.exactly(Math.min(hurriedNanos, TimeUnit.MILLISECONDS.toNanos(most))));
    }

    private ClientLink meet(InetSocketAddress to, Patience patience) throws PeerRefusal {
        requireOpen();
        Route known = routes.get(to);
        if (known != null) {
            if (known.isOpen()) {
                return known.link();
            }
            routes.remove(to, known);
        }
        refused.check(to);
        long begin = System.nanoTime();
        Port port = null;
        try {
            port = rule.find(to);
            ClientLink link = meet(port, patience);
            routes.put(to, new Route(link, port));
            return link;
        } catch (PeerRefusal e) {
            if (e.reason().isOfKernel()) {
                refused.remember(to, e, System.nanoTime() - begin);
            } else if (e.reason() == PeerRefusal.Reason.NO_RENDEZVOUS && port != null && port.inode() != 0) {
                unknown.add(this, to, port.inode());
                unknown.stands(to);
            }
            throw e;
        }
    }

    /**
     * Whether no listener was found at an address lately, though another program listens there. Then {@link #meet} need
     * not look for one.
     *
     * @param to an address of this host
     * @return false if that is not known
     */
    public boolean isUnknown(InetSocketAddress to) {
        return unknown.has(this, to);
    }

    private ClientLink meet(Port port, Patience patience) throws PeerRefusal {
        PeerRefusal why = null;
        for (UnixAddress name : port.names()) {
            try {
                Rendezvous way = new NamedRendezvous(name, port);
                ClientLink link = meetings.meet(way, patience);
                way.check(link.peerCredentials());
                return link;
            } catch (PeerRefusal e) {
                // The owner of that name need not be the owner of the kernel's port, which may have another name.
                if (why == null || why.reason() == PeerRefusal.Reason.NO_RENDEZVOUS) {
                    why = e;
                }
            }
        }
        throw why;
    }

    /**
     * The rate at which all links of this network may send together. There is no limit at first.
     *
     * @return the same object at each call
     */
    public SendLimit sendLimit() {
        return sendLimit;
    }

    /** This network in the form that its links need. */
    LinkOwner owner() {
        return owner;
    }

    boolean isClosed() {
        return closed;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the network is closed");
        }
    }

    /** Whether the kernel, if it can, has to refuse descriptors from clients that are not accepted yet. */
    boolean guards() {
        return guarded;
    }

    /** Counts what peers do to this process. */
    PeerMonitor monitor() {
        return monitor;
    }

    Disposal disposal() {
        return disposal;
    }

    void begun(LinkSide link) {
        links.add(link);
        if (closed) {
            link.abandon();
        }
    }

    void closed(PeerListener listener) {
        listeners.remove(listener);
    }

    @Override
    public void close() {
        closed = true;
        listeners.forEach(PeerListener::close);
        meetings.close();
        links.forEach(LinkSide::close);
    }

    /** Makes the links of clients. */
    private final class Linking implements Meetings.Maker {
        /**
         * Of messages that show ports, and that the server reads when it accepts. The kernel's default, which it doubles:
         * room for 554, where a socket has room for 277 by itself. A connect for whose port there is none waits.
         */
        private static final int ROOM_FOR_PORTS = 212_992;

        @Override
        public Disposal disposal() {
            return disposal;
        }

        @Override
        public ClientLink link(LinkParts parts) throws PeerRefusal {
            ClientLink link = new ClientLink(owner, parts);
            begun(link);
            try {
                parts.socket().sendBuffer(ROOM_FOR_PORTS);
                link.watch();
            } catch (IOException e) {
                link.close();
                throw new PeerRefusal(PeerRefusal.Reason.of(e), e.getMessage());
            }
            return link;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }
    }

    /** The services that links need from this network. */
    private final class Owner implements LinkOwner {
        @Override
        public Sweeper sweeper() {
            return sweeper;
        }

        @Override
        public RingLimits ringLimits() {
            return options.ringLimits();
        }

        @Override
        public SendLimit sendLimit() {
            return sendLimit;
        }

        @Override
        public boolean checksClients() {
            return rule == PortRule.KERNEL;
        }

        @Override
        public void forged() {
            whenForged.run();
        }

        @Override
        public void ended(LinkSide link) {
            links.remove(link);
            routes.values().removeIf(route -> route.link() == link);
            meetings.ended(link);
        }
    }
}
