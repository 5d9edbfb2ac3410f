// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.TcpConnections;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;

/**
 * The announcement of a listener to a driver: its addresses, its socket, and where the device delivers. Thread safe.
 */
final class ListenerAnnouncement {
    private static final LazyLogger LOG = new LazyLogger(ListenerAnnouncement.class);
    private static final int MOST_ADDRESSES = 16;

    private final int number;
    private final InetSocketAddress address;

    /** Null if clients of this network namespace do not find the listener by its socket. */
    private final ListeningSocket socket;

    /** Null before {@link #offer}. */
    private volatile Device device;

    /** Guarded by this object's monitor. */
    private boolean ended;

    /** A listening socket of an attachment. */
    private record Device(int attachment, int socket) {}

    ListenerAnnouncement(int number, InetSocketAddress address, ListeningSocket socket) {
        this.number = number;
        this.address = address;
        this.socket = socket;
    }

    /**
     * Whether the driver knows the listener for clients of its network namespace only, which find it by its socket. A
     * loopback address is reached by others only where a rule leads them there.
     */
    boolean isOfNeighbours() {
        return socket != null && address.getAddress().isLoopbackAddress();
    }

    synchronized void send(BrokerSession session) {
        if (ended) {
            return;
        }
        if (!isOfNeighbours()) {
            attempt(() -> sendAddresses(session));
        }
        if (socket != null) {
            attempt(() -> session.deliver(Request.serves(session.next(), number, socket.descriptor(), socket.inode())));
        }
    }

    /** Announces to a driver that the listener has ended. Nothing is announced afterwards. */
    synchronized void sendEnd(BrokerSession session) {
        ended = true;
        attempt(() -> session.deliver(Request.listensNoMore(session.next(), number)));
    }

    private interface Delivery {
        void send() throws IOException;
    }

    private void attempt(Delivery delivery) {
        try {
            delivery.send();
        } catch (IOException e) {
            LOG.get().log(Level.DEBUG, "{0} is not announced: {1}", address, e.getMessage());
        }
    }

    private void sendAddresses(BrokerSession session) throws IOException {
        boolean needsDiag = session.needsDiag();
        boolean done = false;
        try (Fd diag = needsDiag ? TcpConnections.openSocket() : null) {
            Fd[] along = diag == null ? new Fd[0] : new Fd[] {diag};
            for (InetAddress each : addresses()) {
                InetSocketAddress at = new InetSocketAddress(each, address.getPort());
                session.deliver(Request.listens(session.next(), number, at), along);
                along = new Fd[0];
                done = true;
            }
        } finally {
            if (needsDiag && !done) {
                session.diagFailed();
            }
        }
        sendDevice(session);
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
     * Sets where the driver's device delivers connections of the listener. Replaces an earlier offer.
     *
     * @param attachment the number of an attachment of this process
     * @param listening the number of a listening socket there
     */
    void offer(int attachment, int listening) {
        device = new Device(attachment, listening);
    }

    /** Sends a driver what was offered, if anything was. */
    synchronized void sendDevice(BrokerSession session) {
        Device at = device;
        if (at != null && !ended) {
            attempt(() -> session.deliver(Request.offers(session.next(), number, at.attachment(), at.socket())));
        }
    }
}
