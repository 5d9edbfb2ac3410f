// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * What this process has of listeners and links. Thread safe. Closed by whoever created it, which takes all of it out of
 * use, as the end of the process would; sockets remain to be closed by those who have them.
 */
public final class PeerNetwork implements AutoCloseable {
    /** Never closed, because links can outlive this; its threads end by themselves. */
    private final Disposal disposal;

    /** Never closed either, for the same reasons. */
    private final Sweeper sweeper;

    private final Set<PeerListener> listeners = ConcurrentHashMap.newKeySet();
    private final Set<PeerLink> links = ConcurrentHashMap.newKeySet();

    /** Where addresses were found to lead to. */
    private final ConcurrentHashMap<InetSocketAddress, PeerLink> routes = new ConcurrentHashMap<>();

    private final Meetings meetings = new Meetings(this);
    private final long handshakeNanos;
    private volatile boolean closed;

    /** Creates an empty one. An {@link IllegalArgumentException} says which system property has a value that is not allowed. */
    public PeerNetwork() {
        this(HandshakeTimeout.millis());
    }

    PeerNetwork(int handshakeMillis) {
        this(handshakeMillis, new Disposal(), new Sweeper());
    }

    PeerNetwork(int handshakeMillis, Disposal disposal, Sweeper sweeper) {
        this.disposal = disposal;
        this.sweeper = sweeper;
        handshakeNanos = TimeUnit.MILLISECONDS.toNanos(handshakeMillis);
    }

    /**
     * Publishes a listening address.
     *
     * @param address as the kernel's socket is bound; any-local means all addresses of IPv4, or of both families
     * @param backlog most connections of one client process that wait to be accepted
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
     * Makes or finds the link to whoever listens at an address.
     *
     * @param to an address of this host: who listens on all addresses is not asked which ones there are
     * @return the link, which ends by itself
     * @throws PeerRefusal if there is none to be had
     */
    public PeerLink meet(InetSocketAddress to) throws PeerRefusal {
        requireOpen();
        PeerLink known = routes.get(to);
        if (known != null) {
            if (known.isListening()) {
                return known;
            }
            routes.remove(to, known);
        }
        long deadline = System.nanoTime() + handshakeNanos;
        PeerRefusal why = null;
        for (UnixAddress name : PeerName.candidates(to)) {
            try {
                PeerLink link = meetings.meet(name, deadline);
                routes.put(to, link);
                return link;
            } catch (PeerRefusal e) {
                // Whoever has that name need not be whom the kernel's port belongs to: that one may have another name.
                if (why == null || why.reason() == PeerRefusal.Reason.NO_RENDEZVOUS) {
                    why = e;
                }
            }
        }
        throw why;
    }

    /** Makes the link to whoever listens at a name. */
    PeerLink meet(UnixAddress name, long deadline) throws PeerRefusal {
        LinkParts parts = ClientHandshake.meet(name, deadline, disposal);
        PeerLink link = new PeerLink(this, parts, null);
        begun(link);
        try {
            link.watch();
        } catch (IOException e) {
            link.close();
            throw new PeerRefusal(PeerRefusal.Reason.of(e), e.getMessage());
        }
        return link;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the network is closed");
        }
    }

    Disposal disposal() {
        return disposal;
    }

    Sweeper sweeper() {
        return sweeper;
    }

    void begun(PeerLink link) {
        links.add(link);
        if (closed) {
            link.abandon();
        }
    }

    void ended(PeerLink link) {
        links.remove(link);
        routes.values().removeIf(route -> route == link);
        meetings.ended(link);
    }

    void closed(PeerListener listener) {
        listeners.remove(listener);
    }

    @Override
    public void close() {
        closed = true;
        listeners.forEach(PeerListener::close);
        links.forEach(PeerLink::close);
    }
}
