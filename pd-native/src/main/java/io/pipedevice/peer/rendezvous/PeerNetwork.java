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
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * What this process has of listeners and links. Thread safe. Closed by its owner, which takes all of it out of
 * use, as the end of the process would; sockets remain to be closed by those who have them.
 */
public final class PeerNetwork implements AutoCloseable {
    private static final int HURRY = 2;

    private final PeerOptions options;
    private final PeerMonitor monitor;

    /** Whether the kernel refuses descriptors of strangers, if it can. */
    private final boolean guarded;

    /** Never closed, because links can outlive this; its threads end by themselves. */
    private final Disposal disposal;

    /** Never closed either, for the same reasons. */
    private final Sweeper sweeper;

    private final Set<PeerListener> listeners = ConcurrentHashMap.newKeySet();
    private final Set<LinkSide> links = ConcurrentHashMap.newKeySet();

    /** Where addresses were found to lead to. */
    private final ConcurrentHashMap<InetSocketAddress, Route> routes = new ConcurrentHashMap<>();

    /** Where others keep this process from being met. */
    private final Forbearance<InetSocketAddress> refused = new Forbearance<>();

    private final PortRule rule;
    private final Runnable whenForged;

    private final Meetings meetings = new Meetings(new Linking());
    private final LinkOwner owner = new Owner();

    /** How long a handshake is waited for: where the program's thread may wait, and where it has others to serve. */
    private final long patienceNanos;

    private final long hurriedPatienceNanos;
    private volatile boolean closed;

    /**
     * Creates an empty one that tells of clients' lies.
     *
     * @param options the user's
     * @param whenForged runs whenever a client is refused that does not have the address that it names; takes no lock
     * @param monitor is told what peers do
     */
    public PeerNetwork(PeerOptions options, Runnable whenForged, PeerMonitor monitor) {
        this(options, PortRule.KERNEL, new Disposal(), new Sweeper(), whenForged, monitor, true);
        // The budget is the process's, as are the counters.
        PeerBudget.PROCESS.monitor(monitor);
    }

    /**
     * Creates an empty one. An {@link IllegalArgumentException} says which system property has a value that is not allowed.
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
        // No method reference: this is on the way of a JVM that starts, as much else without any.
        disposal.monitor(new IntConsumer() {
            @Override
            public void accept(int change) {
                monitor.closing(change);
            }
        });
        this.sweeper = sweeper;
        patienceNanos = TimeUnit.MILLISECONDS.toNanos(options.handshakeMillis());
        hurriedPatienceNanos = patienceNanos / HURRY;
    }

    /** What the user has decided on for all connections. */
    PeerOptions options() {
        return options;
    }

    /**
     * Publishes a listening address.
     *
     * @param address as the kernel's socket is bound; any-local means all addresses of IPv4, or of both families
     * @param backlog most connections of one client process that wait to be accepted, cut to between 1 and 16384
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
     * Makes or finds the link to whoever listens at an address. Waits for a listener that does not answer for as long as
     * {@code pipedevice.handshake.millis} says after it was asked. It need not be asked again: there is a link as soon as
     * it answers.
     *
     * @param to an address of this host: who listens on all addresses is not asked which ones there are
     * @return the link, which ends by itself
     * @throws PeerRefusal if there is none to be had
     */
    public PeerLink meet(InetSocketAddress to) throws PeerRefusal {
        return meet(to, patienceNanos);
    }

    /**
     * Does what {@link #meet(InetSocketAddress)} does, for a thread that has others to serve: waits for half of the
     * time. A listener that has much to do when it starts, or collects garbage, shall be met too; one that is stopped
     * shall not stop this thread.
     *
     * @param to an address of this host
     * @param most how long to wait at most, in milliseconds; more than 0
     * @return the link, which ends by itself
     * @throws PeerRefusal if there is none to be had
     */
    public PeerLink meetSoon(InetSocketAddress to, long most) throws PeerRefusal {
        return meet(to, Math.min(hurriedPatienceNanos, TimeUnit.MILLISECONDS.toNanos(most)));
    }

    private ClientLink meet(InetSocketAddress to, long patience) throws PeerRefusal {
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
        try {
            Port port = rule.find(to);
            ClientLink link = meet(port, patience);
            routes.put(to, new Route(link, port));
            return link;
        } catch (PeerRefusal e) {
            if (e.reason().isOfKernel()) {
                refused.remember(to, e, System.nanoTime() - begin);
            }
            throw e;
        }
    }

    private ClientLink meet(Port port, long patience) throws PeerRefusal {
        PeerRefusal why = null;
        for (UnixAddress name : port.names()) {
            try {
                ClientLink link = meetings.meet(name, port, patience);
                // It may have been made for another port of that name, or a while ago.
                port.requireOwner(link.peerCredentials());
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

    /** This network, as its links know it. */
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

    /** Whether the kernel is to refuse descriptors of strangers, if it can. */
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
        @Override
        public Disposal disposal() {
            return disposal;
        }

        @Override
        public ClientLink link(LinkParts parts) throws PeerRefusal {
            ClientLink link = new ClientLink(owner, parts);
            begun(link);
            try {
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

    /** What links need of this network. */
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
