// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.socket;

import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.Endpoint;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.identity.Routes;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.collections.Int2ObjectHashMap;

/** The sockets that are bound to addresses and ports, in each network namespace. Belongs to the driver's thread. */
final class PortTable {
    /** The ports for sockets that ask for any port, as in ip_local_port_range of ip(7). */
    private static final int FIRST_EPHEMERAL = 32768;

    private static final int LAST_EPHEMERAL = 60999;

    private final Int2ObjectHashMap<List<Endpoint>> byPort = new Int2ObjectHashMap<>();
    private final SplittableRandom random = new SplittableRandom();
    private final Routes routes;

    /**
     * Creates an empty table.
     *
     * @param routes decides which addresses are valid between namespaces
     */
    PortTable(Routes routes) {
        this.routes = routes;
    }

    /** Binds a socket; returns false if the address is taken. With port 0 the table chooses a port. */
    boolean bind(Endpoint endpoint, InetSocketAddress address) {
        InetSocketAddress bound = address;
        if (address.getPort() == 0) {
            bound = ephemeral(endpoint, address.getAddress());
            if (bound == null) {
                return false;
            }
        } else if (isTaken(endpoint, address)) {
            return false;
        }
        endpoint.local(bound);
        byPort.computeIfAbsent(bound.getPort(), port -> new ArrayList<>(2)).add(endpoint);
        return true;
    }

    private InetSocketAddress ephemeral(Endpoint endpoint, InetAddress address) {
        int count = LAST_EPHEMERAL - FIRST_EPHEMERAL + 1;
        int first = random.nextInt(count);
        for (int i = 0; i < count; i++) {
            InetSocketAddress candidate = new InetSocketAddress(address, FIRST_EPHEMERAL + (first + i) % count);
            if (!isTaken(endpoint, candidate)) {
                return candidate;
            }
        }
        return null;
    }

    private boolean isTaken(Endpoint endpoint, InetSocketAddress address) {
        List<Endpoint> sockets = byPort.get(address.getPort());
        if (sockets == null) {
            return false;
        }
        for (Endpoint other : sockets) {
            InetAddress bound = other.local().getAddress();
            // The listener of a process that is gone will be closed soon.
            boolean ends = other.process.isGone() && other.state() == Endpoint.State.LISTENING;
            if (!ends
                    && sameNamespace(other.process, endpoint.process)
                    && (covers(bound, address.getAddress()) || covers(address.getAddress(), bound))) {
                return true;
            }
        }
        return false;
    }

    /**
     * The listener that a process reaches at an address. It is in the process's own namespace if the address is one
     * of its own, else in the namespace to which the address leads ({@link Routes}). A listener bound to exactly that
     * address takes precedence over one bound to the wildcard.
     */
    Endpoint listener(AttachedProcess from, InetSocketAddress address) {
        List<Endpoint> sockets = byPort.get(address.getPort());
        if (sockets == null) {
            return null;
        }
        boolean own = from.identity.owns(address.getAddress());
        Endpoint wildcard = null;
        for (Endpoint other : sockets) {
            InetAddress bound = other.local().getAddress();
            if (other.state() != Endpoint.State.LISTENING
                    || other.process.isGone()
                    || !covers(bound, address.getAddress())
                    || !isReached(from, other.process, address, own)) {
                continue;
            }
            if (bound.equals(address.getAddress())) {
                return other;
            }
            wildcard = other;
        }
        return wildcard;
    }

    /**
     * Whether a connection to an address reaches a socket bound to {@code bound}. The IPv6 wildcard covers IPv4 as
     * well.
     */
    private static boolean covers(InetAddress bound, InetAddress address) {
        return bound.equals(address)
                || (bound.isAnyLocalAddress() && (bound instanceof Inet6Address || address instanceof Inet4Address));
    }

    private boolean isReached(AttachedProcess from, AttachedProcess to, InetSocketAddress address, boolean own) {
        if (own || sameNamespace(from, to)) {
            return own && sameNamespace(from, to);
        }
        return to.identity.owns(address.getAddress()) && routes.leadTo(to.identity, address.getAddress());
    }

    /**
     * The processes that may have got an address after their namespaces were read. They listen on its port at the
     * wildcard, in other namespaces than that of the connecting process.
     */
    Set<Identity> mayOwn(AttachedProcess from, InetSocketAddress address) {
        List<Endpoint> sockets = byPort.get(address.getPort());
        if (sockets == null || from.identity.owns(address.getAddress())) {
            return Set.of();
        }
        Set<Identity> result = new HashSet<>();
        for (Endpoint other : sockets) {
            if (other.state() == Endpoint.State.LISTENING
                    && !sameNamespace(from, other.process)
                    && covers(other.local().getAddress(), address.getAddress())
                    && !other.process.identity.owns(address.getAddress())) {
                result.add(other.process.identity);
            }
        }
        return result;
    }

    /** The source address of a connection; null if the process has none that the other side can reach. */
    InetAddress source(AttachedProcess from, AttachedProcess to, InetAddress peer) {
        // As on Linux, a connection to one of the namespace's own addresses comes from that address.
        return sameNamespace(from, to) ? peer : from.identity.sourceFor(peer, routes);
    }

    /** Whether a connection to another process may come from the address that its client chose. */
    boolean mayComeFrom(AttachedProcess from, AttachedProcess to, InetAddress source) {
        return sameNamespace(from, to) || routes.leadTo(from.identity, source);
    }

    static boolean sameNamespace(AttachedProcess a, AttachedProcess b) {
        return a.identity.networkNamespace() == b.identity.networkNamespace();
    }

    /** Frees the address of a socket that is being released, if it has one. */
    void remove(Endpoint endpoint) {
        if (endpoint.local() == null) {
            return;
        }
        List<Endpoint> sockets = byPort.get(endpoint.local().getPort());
        if (sockets != null && sockets.remove(endpoint) && sockets.isEmpty()) {
            byPort.remove(endpoint.local().getPort());
        }
    }
}
