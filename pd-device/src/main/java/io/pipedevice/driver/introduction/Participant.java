// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.driver.account.LinkMeter;
import io.pipedevice.driver.account.ShownLink;
import io.pipedevice.driver.control.ControlSession;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.Endpoint;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Gateways;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.TcpConnections;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Int2ObjectHashMap;

/** A process that takes part in introductions. Belongs to the driver's thread. */
final class Participant {
    private static final System.Logger LOG = new LazyLogger(Participant.class).get();
    private static final int MOST_ADDRESSES = 1024;
    private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_WAYS = 4096;

    final ControlSession session;
    final Identity identity;

    /** To read the sockets of its questions. */
    final SocketPermits permits;

    /** Intents that were not withdrawn, by their numbers. */
    final Int2ObjectHashMap<Intent> intents = new Int2ObjectHashMap<>();

    /** The number of accepted connections of this process that wait. */
    int waiting;

    /** The number of questions whose sockets are perhaps not going to be read. */
    int outward;

    /** Questions whose sockets have not been read. */
    final ArrayDeque<Question> asked = new ArrayDeque<>();

    /** The direct links that it shows, by the inode numbers of its memories. */
    final Map<Long, LinkMeter> links = new HashMap<>();

    /** Its rate on direct connections. */
    final DirectRate rate = new DirectRate();

    /** The rate that was sent to it, in bytes per second; 0 for no limit. */
    long sentRate;

    /** This process as the accounts of direct links know it; null before its first link. */
    ShownLink.Owner shows;

    /**
     * When it said last that it has a listener: connections that it had accepted before it knew of this driver were
     * announced before that.
     */
    long announcedNs;

    /** Whether clients of its network namespace find its listeners by their sockets, and come by rings alone. */
    boolean servesNeighbours;

    /** Whether a thread reads sockets of this process. */
    boolean reads;

    /** By which its clients may seem to connect; read when it has said an address. */
    private List<InetAddress> gateways;

    private long gatewaysNs;

    private final Int2ObjectHashMap<Set<InetSocketAddress>> listeners = new Int2ObjectHashMap<>();

    /** The number of addresses of all listeners. */
    private int announced;

    /** How many listeners have each address. */
    private final Map<InetSocketAddress, Integer> addresses = new HashMap<>();

    private final Set<Way> ways = new HashSet<>();

    /** The sockets of attachments that get the listeners' connections through the device. */
    private final Int2ObjectHashMap<Offer> offers = new Int2ObjectHashMap<>();

    /**
     * Asks the kernel for connections of the network namespace; null if the process has not passed a socket for that.
     */
    private TcpConnections connections;

    /** The kernel's number of that namespace; 0 if it is not known. A process may be in several. */
    private long namespace;

    /** A listener that this process may have a link with. */
    private record Way(Participant server, int listener, boolean near) {}

    /** A socket of an attachment. */
    private record Offer(AttachedProcess process, int socketId) {}

    Participant(ControlSession session, Identity identity, SocketPermits permits) {
        this.session = session;
        this.identity = identity;
        this.permits = permits;
    }

    /** Whether this is the process of a number and start time. */
    boolean is(int pid, long startTime) {
        return identity.pid() == pid && identity.startTime() == startTime;
    }

    /**
     * Asks the kernel with a socket from now on.
     *
     * @param of the kernel's number of its network namespace
     */
    void asksWith(TcpConnections socket, long of) {
        close();
        connections = socket;
        namespace = of;
    }

    boolean asks() {
        return connections != null;
    }

    /**
     * Learns an address of a listener. These are hints: what they say is only used to save time.
     *
     * @param now in nanoseconds
     * @return whether this is a new one
     */
    boolean listens(int listener, InetSocketAddress address, long now) {
        if (gateways == null || now - gatewaysNs > FRESH_NS) {
            gateways = Gateways.of(identity.pid());
            gatewaysNs = now;
        }
        boolean isNew = announced < MOST_ADDRESSES
                && listeners
                        .computeIfAbsent(listener, number -> new LinkedHashSet<>())
                        .add(address);
        if (isNew) {
            announced++;
            addresses.merge(address, 1, Integer::sum);
        }
        return isNew;
    }

    void closed(int listener) {
        offers.remove(listener);
        Set<InetSocketAddress> removed = listeners.remove(listener);
        if (removed != null) {
            announced -= removed.size();
            for (InetSocketAddress each : removed) {
                addresses.computeIfPresent(each, (address, count) -> count == 1 ? null : count - 1);
            }
        }
    }

    boolean hasListener(int listener) {
        return listeners.containsKey(listener);
    }

    /** Learns which socket of an attachment of this process gets a listener's connections through the device. */
    void offers(int listener, AttachedProcess process, int socketId) {
        if (hasListener(listener)) {
            offers.put(listener, new Offer(process, socketId));
        }
    }

    /** The socket that gets a listener's connections through the device; null if there is none now. */
    Endpoint offered(int listener) {
        Offer offer = offers.get(listener);
        if (offer == null || offer.process().isGone()) {
            return null;
        }
        Endpoint socket = offer.process().sockets.get(offer.socketId());
        return socket == null || socket.isClosing() || socket.state() != Endpoint.State.LISTENING ? null : socket;
    }

    /**
     * Permits a link of this process with a listener.
     *
     * @param near whether for connections within their network namespace, which the kernel does not make
     */
    void permit(Participant server, int listener, boolean near) {
        if (ways.size() >= MOST_WAYS) {
            ways.clear();
        }
        ways.add(new Way(server, listener, near));
    }

    boolean mayLink(Participant server, int listener, boolean near) {
        return ways.contains(new Way(server, listener, near));
    }

    /** A link was made: another one needs another introduction. */
    void linked(Participant server, int listener, boolean near) {
        ways.remove(new Way(server, listener, near));
    }

    /** Whether there is a listener. */
    boolean listens() {
        return !addresses.isEmpty();
    }

    /**
     * Whether clients of a network namespace, by the kernel's number, come by rings, so that this process asks about a
     * connection from there only if it finds that a rule has led it here.
     */
    boolean isNeighbourOf(long client) {
        return servesNeighbours && namespace == client && client != 0;
    }

    /** Searches the connections of this process's listeners. */
    void search(EndSearch search) {
        for (Set<InetSocketAddress> each : listeners.values()) {
            for (InetSocketAddress at : each) {
                search(search, at);
                if (search.isOver()) {
                    return;
                }
            }
        }
    }

    /** Searches the connections of the listener of an address, if there is one. */
    void searchAt(InetSocketAddress at, EndSearch search) {
        if (addresses.containsKey(at)) {
            search(search, at);
        }
    }

    private void search(EndSearch search, InetSocketAddress at) {
        if (!search.concerns(at.getAddress())
                || (isNeighbourOf(search.namespace()) && at.equals(search.destination()))) {
            // The client would have come by rings, so the process does not ask about that connection.
            return;
        }
        boolean mayBeSeen =
                namespace == search.namespace() || !search.client().getAddress().isLoopbackAddress();
        if (mayBeSeen && mayLook(search)) {
            search.found(find(at, search.client()), announcedNs);
        }
        for (InetAddress gateway : gateways) {
            if (search.concerns(gateway) && mayLook(search)) {
                search.foundBehindGateway(find(at, search.clientBehind(gateway)), announcedNs);
            }
        }
    }

    /**
     * A process whose network namespace cannot be asked is not searched: its clients wait for it only if it asks first.
     */
    private boolean mayLook(EndSearch search) {
        return connections != null && search.mayLook();
    }

    private TcpConnections.Stage find(InetSocketAddress at, InetSocketAddress client) {
        try {
            return connections.find(at, client);
        } catch (LinuxException e) {
            // Its owner takes the answers.
            close();
            return TcpConnections.Stage.ABSENT;
        }
    }

    /** Sends a message; whether that was possible. A process that does not read waits for the end of its timeouts. */
    boolean send(ControlMessage message, Fd... along) {
        try {
            return session.isOpen()
                    && session.socket.send(message.memory(), 0, ControlMessage.LENGTH, along) != UnixSocket.WOULD_BLOCK;
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "process {0} is gone: {1}", identity.pid(), e.getMessage());
            return false;
        }
    }

    void close() {
        if (connections != null) {
            connections.close();
            connections = null;
        }
    }
}
