// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.TcpListener;
import io.pipedevice.peer.link.PeerLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.PeerName;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.rendezvous.UnknownListeners;
import io.pipedevice.protocol.IntroductionMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Links to listeners of this network namespace. This process asks the kernel which socket a connection would reach, and
 * the driver which process has that socket and whether the two may be peers. Where the driver knows no process, the
 * kernel's connection may lead to another namespace, and {@link Broker#intend} begins an introduction. Thread safe.
 */
final class Neighbours {
    private static final LazyLogger LOG = new LazyLogger(Neighbours.class);
    private static final long TIMEOUT_MS = 1_000;

    /** A connect checks the socket of a known address again if the last check is older than this. */
    private static final long RENEWAL_NS = TimeUnit.SECONDS.toNanos(1);

    private static final int MOST = 4096;

    private final PeerNetwork network;
    private final ShownLinks links;

    /** Links by destination, where the driver's rulings are fixed, so that it need not be asked again. */
    private final ConcurrentHashMap<InetSocketAddress, Known> known = new ConcurrentHashMap<>();

    private final UnknownListeners unknown = new UnknownListeners();

    /** The listener of an address, as it was at a time. */
    private record Known(PeerLink link, BrokerSession session, long inode, long sinceNs) {
        boolean isOver() {
            return session.isOver() || !link.isUsable();
        }
    }

    /**
     * @param network has the links
     * @param links are shown to the driver, for its accounts
     */
    Neighbours(PeerNetwork network, ShownLinks links) {
        this.network = network;
        this.links = links;
    }

    /** The driver's answer. */
    private static final class Found implements BrokerSession.Answer {
        private final CountDownLatch over = new CountDownLatch(1);

        /** The driver's reply; null before it has come, or if the driver has ended. */
        private volatile Reply reply;

        private record Reply(int errno, String text, ProcessKey server, int listener) {}

        @Override
        public void answered(IntroductionMessage message, ReceivedFds fds) {
            ProcessKey server = message.process() == 0 ? null : ProcessKey.named(message);
            reply = new Reply(message.status(), message.text(), server, message.listener());
            over.countDown();
        }

        @Override
        public void lost() {
            over.countDown();
        }

        /** Null if the driver has ended, or has not answered in time. */
        Reply await() {
            try {
                return over.await(TIMEOUT_MS, TimeUnit.MILLISECONDS) ? reply : null;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            }
        }
    }

    /** Whether the driver of a session was asked about an address lately, and knows no listener there. */
    boolean isUnknown(BrokerSession session, InetSocketAddress to) {
        return unknown.has(session, to);
    }

    /** The kernel has connected to an address at which {@link #link} has found no listener. */
    void stands(InetSocketAddress to) {
        unknown.stands(to);
    }

    /**
     * Finds or makes the link to the listener of an address of this namespace.
     *
     * @param hurried whether the thread serves other connections too
     * @return null if connections go through the driver's device, or the driver does not know the listener
     * @throws PeerRefusal if the driver refuses, or no link can be made
     */
    PeerLink link(BrokerSession session, InetSocketAddress to, boolean hurried) throws PeerRefusal {
        long nowNs = System.nanoTime();
        Known before = stillOpen(session, to);
        if (before != null && nowNs - before.sinceNs < RENEWAL_NS) {
            return before.link;
        }
        long inode = inode(to);
        if (inode == 0) {
            unknown.add(session, to, inode);
            return null;
        }
        if (before != null && before.inode == inode) {
            known.replace(to, before, new Known(before.link, session, inode, nowNs));
            return before.link;
        }
        IntroducedRendezvous way = ask(session, inode, to);
        if (way == null) {
            return null;
        }
        PeerLink link = network.meet(way, hurried);
        links.show(link, session);
        if (session.isFixed()) {
            remember(to, new Known(link, session, inode, nowNs));
        }
        return link;
    }

    /** The knowledge about an address; null if there is none, or its listener is closed. */
    private Known stillOpen(BrokerSession session, InetSocketAddress to) {
        Known before = known.get(to);
        if (before == null || (before.session == session && before.link.isListening())) {
            return before;
        }
        known.remove(to, before);
        return null;
    }

    private void remember(InetSocketAddress to, Known listener) {
        if (known.size() >= MOST) {
            known.values().removeIf(Known::isOver);
        }
        if (known.size() >= MOST) {
            // Rather ask too often than keep more.
            known.clear();
        }
        known.put(to, listener);
    }

    /** The socket that a connection would reach; 0 if there is none. */
    private static long inode(InetSocketAddress to) throws PeerRefusal {
        try {
            TcpListener listener =
                    TcpListener.at(new InetSocketAddress(PeerName.specific(to.getAddress()), to.getPort()));
            return listener == null ? 0 : listener.inode();
        } catch (IOException e) {
            throw new PeerRefusal(PeerRefusal.Reason.of(e), "cannot find the socket of the port: " + e.getMessage());
        }
    }

    /** Asks the driver; null if connections go through its device, or it does not know the listener. */
    private IntroducedRendezvous ask(BrokerSession session, long inode, InetSocketAddress to) throws PeerRefusal {
        Found found = new Found();
        if (!session.ask(Request.find(session.next(), inode, to), found)) {
            return null;
        }
        Found.Reply reply = found.await();
        if (reply == null) {
            // A driver that does not answer has no device either.
            LOG.get().log(Level.DEBUG, "no answer about the listener of {0}", to);
            return null;
        }
        if (reply.errno() == Errno.EACCES || reply.errno() == Errno.EPERM) {
            throw new PeerRefusal(DriverIntroduction.reason(reply.errno()), reply.text());
        }
        if (reply.errno() == Errno.ENOENT) {
            unknown.add(session, to, inode);
        }
        return reply.errno() != 0 || reply.server() == null
                ? null
                : new IntroducedRendezvous(session, reply.server(), reply.listener(), true);
    }
}
