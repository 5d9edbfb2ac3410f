// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.ConnectionTable;
import io.pipedevice.driver.data.CopyScheduler;
import io.pipedevice.driver.data.Endpoint;
import io.pipedevice.driver.data.Notifier;
import io.pipedevice.driver.data.SendQueue;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.policy.PairRule;
import io.pipedevice.driver.policy.Party;
import io.pipedevice.driver.policy.Ruling;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.protocol.ControlMessage;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;

/**
 * Connection establishment (§3.4): pd_socket, pd_bind, pd_listen, pd_connect and pd_accept, which a process requests
 * on its control connection. Checks every value of a request. Belongs to the driver's thread.
 *
 * <p>As with TCP, a connection is established when the client requests it, and waits in the listener's backlog for
 * accept. The client may send meanwhile.
 */
public final class SocketControl {
    private static final int MAX_BACKLOG = 4096;

    private final ConnectionTable connections;
    private final PortTable ports;
    private final OwnerSearch owners;
    private final CopyScheduler copies;
    private final Notifier notifier;
    private final DriverCounters counters;
    private final PairRule rule;
    private final Meetings meetings;
    private final Bindings bindings;

    /**
     * Handles messages about sockets.
     *
     * @param connections gets new connections
     * @param ports gets addresses
     * @param owners searches listeners at new addresses
     * @param copies copies the data
     * @param notifier is informed of the sockets that change
     * @param counters of the driver
     * @param rule says which processes may connect to each other
     * @param introductions of connections that the kernel has made
     */
    public SocketControl(
            ConnectionTable connections,
            PortTable ports,
            OwnerSearch owners,
            CopyScheduler copies,
            Notifier notifier,
            DriverCounters counters,
            PairRule rule,
            Introductions introductions) {
        this.connections = connections;
        this.ports = ports;
        this.owners = owners;
        this.copies = copies;
        this.notifier = notifier;
        this.counters = counters;
        this.rule = rule;
        meetings = introductions.meetings();
        bindings = new Bindings(ports);
    }

    /** Handles a message. */
    Reply handle(ControlRequest request) throws Refusal {
        AttachedProcess process = request.process();
        ControlMessage message = request.message();
        return switch (message.type()) {
            case ControlMessage.SOCKET -> socket(process, message);
            case ControlMessage.BIND -> bind(process, message);
            case ControlMessage.LISTEN -> listen(process, message);
            case ControlMessage.CONNECT -> answer(connect(process, message), message);
            case ControlMessage.ACCEPT -> answer(accept(process, message), message);
            case ControlMessage.TAKE_URGENT -> takeUrgent(process, message);
            default -> throw new Refusal(Errno.EPROTO, "request of unknown type " + message.type());
        };
    }

    private static Reply socket(AttachedProcess process, ControlMessage message) throws Refusal {
        Endpoint endpoint = process.newEndpoint();
        if (endpoint == null) {
            throw new Refusal(Errno.ENOBUFS, "the process already has " + process.sockets() + " sockets");
        }
        endpoint.known = true;
        endpoint.opened = true;
        message.answer().socketId(endpoint.sid);
        return Reply.answer();
    }

    private Reply bind(AttachedProcess process, ControlMessage message) throws Refusal {
        Endpoint endpoint = find(process, message.socketId(), Endpoint.State.ACTIVE);
        InetSocketAddress address = message.localAddress();
        if (address == null) {
            throw new Refusal(Errno.EINVAL, "no address");
        }
        if (!process.identity.owns(address.getAddress())) {
            throw new Refusal(Errno.EADDRNOTAVAIL, Errno.text(Errno.EADDRNOTAVAIL));
        }
        if (!ports.bind(endpoint, address)) {
            throw new Refusal(Errno.EADDRINUSE, Errno.text(Errno.EADDRINUSE));
        }
        endpoint.state = Endpoint.State.BOUND;
        message.answer().localAddress(endpoint.local);
        return Reply.answer();
    }

    /**
     * Listens. As with TCP, an unbound socket gets a port, and a socket that already listens gets a new backlog limit.
     */
    private Reply listen(AttachedProcess process, ControlMessage message) throws Refusal {
        Endpoint endpoint = find(process, message.socketId());
        int ringSize = RingGrants.size(message.receiveRingSize());
        int ringStart = RingGrants.start(message);
        switch (endpoint.state) {
            case ACTIVE -> {
                if (!ports.bind(endpoint, new InetSocketAddress(Identity.wildcard(), 0))) {
                    throw new Refusal(Errno.EADDRINUSE, Errno.text(Errno.EADDRINUSE));
                }
                endpoint.backlog = new ArrayDeque<>();
            }
            case BOUND -> endpoint.backlog = new ArrayDeque<>();
            case LISTENING -> {}
            default -> throw wrongState(endpoint, Endpoint.State.BOUND);
        }
        endpoint.state = Endpoint.State.LISTENING;
        endpoint.acceptedRingSize = ringSize;
        endpoint.acceptedRingStart = ringStart;
        endpoint.backlogLimit = Math.min(Math.max(message.value(), 1), MAX_BACKLOG);
        message.answer().localAddress(endpoint.local);
        return Reply.answer();
    }

    /**
     * The chore that allocates the receive rings for a connect. Null if there is nothing to allocate, or if the connect
     * will be refused anyway.
     */
    Chores.Chore prepareRings(AttachedProcess process, ControlMessage message) {
        int size = message.receiveRingSize();
        if (!RingBuffer.isSize(size)) {
            return null;
        }
        try {
            Endpoint listener = listenerOf(process, message);
            return new RingPreparation(
                    process,
                    size,
                    RingGrants.start(message),
                    listener.process,
                    listener.acceptedRingSize,
                    listener.acceptedRingStart);
        } catch (Refusal e) {
            return null;
        }
    }

    private Endpoint listenerOf(AttachedProcess process, ControlMessage message) throws Refusal {
        if (message.argument() != 0) {
            Endpoint listener =
                    meetings.tickets().of(message.argument(), process.identity).listener();
            checkBacklog(listener);
            return listener;
        }
        InetSocketAddress address = message.peerAddress();
        if (address == null) {
            throw new Refusal(Errno.EINVAL, "no address");
        }
        Endpoint listener = ports.listener(
                process, new InetSocketAddress(Bindings.target(address.getAddress()), address.getPort()));
        checkListener(process, process.endpoint(message.socketId()), listener, address);
        return listener;
    }

    /**
     * Connects to an address, or by the number of an introduction, and allocates both receive rings. Returns the
     * client's socket.
     */
    private Endpoint connect(AttachedProcess process, ControlMessage message) throws Refusal {
        Endpoint client = find(process, message.socketId());
        if (client.state == Endpoint.State.LISTENING) {
            throw wrongState(client, Endpoint.State.ACTIVE);
        }
        if (client.state == Endpoint.State.CONNECTED) {
            throw new Refusal(Errno.EISCONN, Errno.text(Errno.EISCONN));
        }
        return message.argument() == 0 ? connectTo(client, message) : connectIntroduced(client, message);
    }

    private Endpoint connectTo(Endpoint client, ControlMessage message) throws Refusal {
        AttachedProcess process = client.process;
        InetSocketAddress address = message.peerAddress();
        if (address == null || address.getPort() == 0) {
            throw new Refusal(Errno.EINVAL, "no address");
        }
        address = new InetSocketAddress(Bindings.target(address.getAddress()), address.getPort());
        Endpoint listener = ports.listener(process, address);
        if (listener == null) {
            owners.begin(process, address);
        }
        checkListener(process, client, listener, address);
        InetSocketAddress bound = client.local;
        Endpoint server;
        try {
            bindings.bind(client, listener.process, address);
            server = pair(client, listener, message);
        } catch (Refusal | RuntimeException | Error e) {
            bindings.undo(client, bound);
            throw e;
        }
        client.remote = address;
        server.local = client.remote;
        server.remote = client.local;
        join(client, server, listener);
        return client;
    }

    /** Goes on for a connection of the kernel's, whose addresses need not be any that this driver knows. */
    private Endpoint connectIntroduced(Endpoint client, ControlMessage message) throws Refusal {
        if (client.state != Endpoint.State.ACTIVE) {
            throw wrongState(client, Endpoint.State.ACTIVE);
        }
        Tickets.Ticket ticket = meetings.tickets().of(message.argument(), client.process.identity);
        Endpoint listener = ticket.listener();
        checkBacklog(listener);
        Endpoint server = pair(client, listener, message);
        client.local = ticket.intent().address;
        // What the client sees: it cannot be mistaken for anything else by others.
        client.remote = message.peerAddress();
        server.local = ticket.acceptance().address();
        server.remote = client.local;
        server.introduction = ticket.acceptance().request();
        meetings.connected(ticket);
        join(client, server, listener);
        return client;
    }

    /** Gives a socket that connects its rings, and makes the other end. */
    private Endpoint pair(Endpoint client, Endpoint listener, ControlMessage message) throws Refusal {
        AttachedProcess process = client.process;
        if (!connections.hasRoom(process.identity)) {
            throw overShare();
        }
        checkLimits(process, listener.process);
        int clientRing = RingGrants.size(message.receiveRingSize());
        RingGrants.SendRing sendRing = RingGrants.find(process, message);
        Endpoint server = listener.process.newEndpoint();
        if (server == null) {
            throw new Refusal(Errno.ECONNREFUSED, "the listener's process has all the sockets it may have");
        }
        try {
            RingGrants.giveNew(client, clientRing, RingGrants.start(message));
            RingGrants.giveNew(server, listener.acceptedRingSize, listener.acceptedRingStart);
        } catch (Refusal | RuntimeException | Error e) {
            RingGrants.takeBack(client);
            RingGrants.takeBack(server);
            server.state = Endpoint.State.RELEASED;
            server.process.removeEndpoint(server);
            throw e;
        }
        RingGrants.give(client, sendRing);
        return server;
    }

    private void checkListener(AttachedProcess process, Endpoint client, Endpoint listener, InetSocketAddress address)
            throws Refusal {
        if (listener == null) {
            throw new Refusal(Errno.ECONNREFUSED, "no socket listens at " + address);
        }
        Ruling ruling = rule.rule(
                new Party(process.identity, Bindings.addressOf(client)),
                new Party(listener.process.identity, address.getAddress()));
        if (!ruling.isPermitted()) {
            throw new Refusal(ruling.errno(), ruling.reason());
        }
        checkBacklog(listener);
    }

    private static void checkBacklog(Endpoint listener) throws Refusal {
        if (listener.closing || listener.process.gone || listener.state != Endpoint.State.LISTENING) {
            throw new Refusal(Errno.ECONNREFUSED, "the listener is closed");
        }
        if (listener.backlog.size() >= listener.backlogLimit) {
            throw new Refusal(Errno.ECONNREFUSED, "the listener's backlog is full");
        }
    }

    /** The policy's limits of both containers, which may be the same. */
    private static void checkLimits(AttachedProcess client, AttachedProcess server) throws Refusal {
        if (!client.use.hasRoomFor(1)) {
            throw new Refusal(Errno.ENOBUFS, "the container has all the connections that the policy allows");
        }
        if (!server.use.hasRoomFor(client.use == server.use ? 2 : 1)) {
            throw new Refusal(
                    Errno.ECONNREFUSED,
                    "the listener's container has all the sockets it may have: the policy allows no more connections");
        }
    }

    private Refusal overShare() {
        if (connections.isFull()) {
            return new Refusal(Errno.ENOBUFS, "the driver's connection table is full");
        }
        counters.shareRefusals.add(1);
        return new Refusal(
                Errno.ENOBUFS,
                "the user or its network namespace has used its share of the driver's " + connections.most()
                        + " connections");
    }

    private void join(Endpoint client, Endpoint server, Endpoint listener) {
        connections.add(client, server);
        counters.connections(connections.size());
        for (Endpoint endpoint : new Endpoint[] {client, server}) {
            endpoint.state = Endpoint.State.CONNECTED;
            endpoint.process.counters.connected();
            endpoint.sends = new SendQueue(ControlMessage.MAX_OUTSTANDING_SENDS, copies.gatherLimit());
            endpoint.publishState();
        }
        client.sends.ringSize(client.sendSize);
        listener.backlog.add(server);
        listener.slot.backlog(listener.backlog.size());
        notifier.touch(listener, Notifier.IN);
    }

    /** Takes the oldest connection out of a backlog; returns the new socket. */
    private Endpoint accept(AttachedProcess process, ControlMessage message) throws Refusal {
        Endpoint listener = find(process, message.socketId(), Endpoint.State.LISTENING);
        if (listener.backlog.isEmpty()) {
            throw new Refusal(Errno.EAGAIN, "no connection is pending");
        }
        RingGrants.SendRing ring = RingGrants.find(process, message);
        Endpoint server = listener.backlog.poll();
        listener.slot.backlog(listener.backlog.size());
        RingGrants.give(server, ring);
        server.known = true;
        server.sends.ringSize(server.sendSize);
        return server;
    }

    /** Answers connect or accept. The descriptor of the ring's region is sent once. */
    private static Reply answer(Endpoint endpoint, ControlMessage message) {
        RingBuffer ring = endpoint.receiveRing;
        message.answer()
                .socketId(endpoint.sid)
                .value(endpoint.introduction)
                .localAddress(endpoint.local)
                .peerAddress(endpoint.remote)
                .receiveRing(
                        ring.region(),
                        ring.offset(),
                        ring.size(),
                        endpoint.process.receiveRegion(ring.region()).size())
                .ringStart(endpoint.received.ringSize());
        AttachedProcess process = endpoint.process;
        return process.announce(ring.region())
                ? Reply.answer(process.receiveRegion(ring.region()).fd())
                : Reply.answer();
    }

    private static Reply takeUrgent(AttachedProcess process, ControlMessage message) throws Refusal {
        find(process, message.socketId(), Endpoint.State.CONNECTED).takeUrgent(message.value() != 0);
        message.answer();
        return Reply.answer();
    }

    private static Endpoint find(AttachedProcess process, int sid, Endpoint.State state) throws Refusal {
        Endpoint endpoint = find(process, sid);
        if (endpoint.state != state) {
            throw wrongState(endpoint, state);
        }
        return endpoint;
    }

    private static Endpoint find(AttachedProcess process, int sid) throws Refusal {
        Endpoint endpoint = process.endpoint(sid);
        if (endpoint == null || endpoint.closing || !endpoint.known) {
            throw new Refusal(Errno.EBADF, "no such socket");
        }
        return endpoint;
    }

    private static Refusal wrongState(Endpoint endpoint, Endpoint.State state) {
        return new Refusal(Errno.EINVAL, "the socket is " + endpoint.state + ", not " + state);
    }
}
