// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.peer.link.PeerLink;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The links to which destinations have led several times. A destination that has led to the server of a link and then
 * to another one has several servers, so that the driver is asked about each connection for a while. What a driver has
 * permitted holds for its session only. Thread safe.
 */
final class KnownServers {
    private static final int MOST = 4096;
    private static final long SEVERAL_NS = TimeUnit.SECONDS.toNanos(60);

    /**
     * @param link null for a destination with several servers
     * @param session of the driver that has introduced the two processes; null if link is
     * @param times how often it has led there, one after the other
     */
    private record Server(PeerLink link, BrokerSession session, int times, long sinceNs) {
        boolean isOver() {
            return link == null ? System.nanoTime() - sinceNs > SEVERAL_NS : session.isOver() || !link.isUsable();
        }
    }

    private final ConcurrentHashMap<InetSocketAddress, Server> servers = new ConcurrentHashMap<>();

    private final int sure;

    /**
     * @param sure a destination that has led to the same server so often has one, probably. If there are several, the
     *     first connection to another one may stay on the kernel: that server asks the driver, which the client has not
     *     notified of the connection.
     */
    KnownServers(int sure) {
        this.sure = sure;
    }

    /** The link to which a destination has led in a session of the driver; null if there is none. */
    PeerLink of(InetSocketAddress to, BrokerSession session) {
        Server server = servers.get(to);
        if (server == null) {
            return null;
        }
        if (server.isOver()) {
            servers.remove(to, server);
            return null;
        }
        return server.session == session && server.times >= sure ? server.link : null;
    }

    /** A destination has led to the server of a link, as the driver of a session has said. */
    void leads(InetSocketAddress to, PeerLink link, BrokerSession session) {
        Server known = servers.get(to);
        if (known == null || known.isOver()) {
            put(to, link, session, 1);
        } else if (known.link == link && known.times < sure) {
            put(to, link, session, known.times + 1);
        } else if (known.link != null && known.link != link) {
            hasSeveral(to);
        }
    }

    /** A destination has led to another server than the one that was known. */
    void hasSeveral(InetSocketAddress to) {
        put(to, null, null, 0);
    }

    /** Removes all knowledge about a destination. */
    void forget(InetSocketAddress to) {
        servers.remove(to);
    }

    private void put(InetSocketAddress to, PeerLink link, BrokerSession session, int times) {
        if (servers.size() >= MOST) {
            servers.values().removeIf(Server::isOver);
        }
        if (servers.size() >= MOST) {
            // Rather ask too often than keep more.
            servers.clear();
        }
        servers.put(to, new Server(link, session, times, System.nanoTime()));
    }
}
