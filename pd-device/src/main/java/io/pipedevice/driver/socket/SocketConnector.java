// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.socket;

import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.ConnectionTable;
import io.pipedevice.driver.data.CopyScheduler;
import io.pipedevice.driver.data.Endpoint;
import io.pipedevice.driver.data.Notifier;
import io.pipedevice.driver.data.SendQueue;
import io.pipedevice.driver.introduction.Introductions;
import io.pipedevice.driver.introduction.Ticket;
import io.pipedevice.driver.policy.PairRule;
import io.pipedevice.driver.policy.Party;
import io.pipedevice.driver.policy.Ruling;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.protocol.ControlMessage;
import java.net.InetSocketAddress;

/**
 * Connects sockets: to an address, or by the number of an introduction. Checks what a request says about the other end.
 * Belongs to the driver's thread.
 */
final class SocketConnector {
    private final ConnectionTable connections;
    private final PortTable ports;
    private final OwnerSearch owners;
    private final CopyScheduler copies;
    private final Notifier notifier;
    private final DriverCounters counters;
    private final PairRule rule;
    private final Introductions introductions;
    private final Bindings bindings;

    /**
     * Connects nothing yet.
     *
     * @param connections gets new connections
     * @param ports gets addresses
     * @param owners searches listeners at new addresses
     * @param copies copies the data
     * @param notifier is informed of the sockets that change
     * @param rule says which processes may connect to each other
     * @param introductions of connections that the kernel has made
     */
    SocketConnector(
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
        this.introductions = introductions;
        this.bindings = new Bindings(ports);
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
                    listener.backlog().ringSize(),
                    listener.backlog().ringStart());
        } catch (Refusal e) {
            return null;
        }
    }

    private Endpoint listenerOf(AttachedProcess process, ControlMessage message) throws Refusal {
        if (message.argument() != 0) {
            Endpoint listener =
                    introductions.ticket(message.argument(), process.identity).listener();
            checkBacklog(listener);
            return listener;
        }
        InetSocketAddress address = message.peerAddress();
        if (address == null) {
            throw new Refusal(Errno.EINVAL, "no address");
        }
        Endpoint listener = ports.listener(
                process, new InetSocketAddress(Bindings.target(address.getAddress()), address.getPort()));
        checkListener(process, process.sockets.get(message.socketId()), listener, address);
        return listener;
    }

    /** Connects a socket, and allocates both receive rings. */
    void connect(Endpoint client, ControlMessage message) throws Refusal {
        if (message.argument() == 0) {
            connectTo(client, message);
        } else {
            connectIntroduced(client, message);
        }
    }

    private void connectTo(Endpoint client, ControlMessage message) throws Refusal {
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
        InetSocketAddress bound = client.local();
        Endpoint server;
        try {
            bindings.bind(client, listener.process, address);
            server = pair(client, listener, message);
        } catch (Refusal | RuntimeException | Error e) {
            bindings.undo(client, bound);
            throw e;
        }
        client.remote(address);
        server.local(address);
        server.remote(client.local());
        join(client, server, listener);
    }

    /** Goes on for a connection of the kernel's, whose addresses need not be any that this driver knows. */
    private void connectIntroduced(Endpoint client, ControlMessage message) throws Refusal {
        Ticket ticket = introductions.ticket(message.argument(), client.process.identity);
        Endpoint listener = ticket.listener();
        checkBacklog(listener);
        Endpoint server = pair(client, listener, message);
        client.local(ticket.clientAddress());
        // What the client sees: it cannot be mistaken for anything else by others.
        client.remote(message.peerAddress());
        server.local(ticket.serverAddress());
        server.remote(client.local());
        server.introduction(ticket.request());
        introductions.connected(ticket);
        join(client, server, listener);
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
        Endpoint server = listener.process.sockets.add();
        if (server == null) {
            throw new Refusal(Errno.ECONNREFUSED, "the listener's process has all the sockets it may have");
        }
        try {
            RingGrants.giveNew(client, clientRing, RingGrants.start(message));
            RingGrants.giveNew(
                    server, listener.backlog().ringSize(), listener.backlog().ringStart());
        } catch (Refusal | RuntimeException | Error e) {
            client.giveReceiveRingBack();
            server.discard();
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
        if (listener.isClosing() || listener.process.isGone() || listener.state() != Endpoint.State.LISTENING) {
            throw new Refusal(Errno.ECONNREFUSED, "the listener is closed");
        }
        if (listener.backlog().isFull()) {
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
            endpoint.connected(new SendQueue(ControlMessage.MAX_OUTSTANDING_SENDS, copies.gatherLimit()));
        }
        listener.backlog().add(server);
        notifier.touch(listener, Notifier.IN);
    }
}
