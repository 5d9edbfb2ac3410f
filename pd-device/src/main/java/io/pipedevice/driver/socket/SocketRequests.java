// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.socket;

import io.pipedevice.driver.control.ControlRequest;
import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.control.Reply;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.ConnectionTable;
import io.pipedevice.driver.data.CopyScheduler;
import io.pipedevice.driver.data.Endpoint;
import io.pipedevice.driver.data.Notifier;
import io.pipedevice.driver.identity.AddressBook;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.identity.Routes;
import io.pipedevice.driver.introduction.Introductions;
import io.pipedevice.driver.policy.PairRule;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.protocol.ControlMessage;
import java.net.InetSocketAddress;

/**
 * Connection establishment (§3.4): pd_socket, pd_bind, pd_listen, pd_connect and pd_accept, which a process requests
 * on its control connection. Checks every value of a request. Belongs to the driver's thread.
 *
 * <p>As with TCP, a connection is established when the client requests it, and waits in the listener's backlog for
 * accept. The client may send meanwhile.
 */
public final class SocketRequests {
    private static final int MAX_BACKLOG = 4096;

    private final PortTable ports;
    private final SocketConnector connector;

    /**
     * Handles messages about sockets.
     *
     * @param connections gets new connections
     * @param routes between network namespaces
     * @param addresses of network namespaces
     * @param chores does long work in steps
     * @param copies copies the data
     * @param notifier is informed of the sockets that change
     * @param counters of the driver
     * @param rule says which processes may connect to each other
     * @param introductions of connections that the kernel has made
     */
    public SocketRequests(
            ConnectionTable connections,
            Routes routes,
            AddressBook addresses,
            Chores chores,
            CopyScheduler copies,
            Notifier notifier,
            DriverCounters counters,
            PairRule rule,
            Introductions introductions) {
        this.ports = new PortTable(routes);
        OwnerSearch owners = new OwnerSearch(ports, addresses, chores);
        this.connector =
                new SocketConnector(connections, ports, owners, copies, notifier, counters, rule, introductions);
    }

    /**
     * A socket ends: its address becomes free, if it has one.
     *
     * @param endpoint is being released
     */
    public void released(Endpoint endpoint) {
        ports.remove(endpoint);
    }

    /**
     * Handles a message.
     *
     * @param request of an attached process
     * @return the answer
     * @throws Refusal if it is invalid, of another type, or exceeds a limit
     */
    public Reply handle(ControlRequest request) throws Refusal {
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
        Endpoint endpoint = process.sockets.add();
        if (endpoint == null) {
            throw new Refusal(Errno.ENOBUFS, "the process already has " + process.sockets.count() + " sockets");
        }
        endpoint.makeKnown();
        endpoint.opened();
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
        endpoint.bound();
        message.answer().localAddress(endpoint.local());
        return Reply.answer();
    }

    /**
     * Listens. As with TCP, an unbound socket gets a port, and a socket that already listens gets a new backlog limit.
     */
    private Reply listen(AttachedProcess process, ControlMessage message) throws Refusal {
        Endpoint endpoint = find(process, message.socketId());
        int ringSize = RingGrants.size(message.receiveRingSize());
        int ringStart = RingGrants.start(message);
        switch (endpoint.state()) {
            case ACTIVE -> {
                if (!ports.bind(endpoint, new InetSocketAddress(Identity.wildcard(), 0))) {
                    throw new Refusal(Errno.EADDRINUSE, Errno.text(Errno.EADDRINUSE));
                }
            }
            case BOUND, LISTENING -> {}
            default -> throw wrongState(endpoint, Endpoint.State.BOUND);
        }
        endpoint.listen(Math.min(Math.max(message.value(), 1), MAX_BACKLOG), ringSize, ringStart);
        message.answer().localAddress(endpoint.local());
        return Reply.answer();
    }

    /**
     * Connects to an address, or by the number of an introduction, and allocates both receive rings. Returns the
     * client's socket.
     */
    private Endpoint connect(AttachedProcess process, ControlMessage message) throws Refusal {
        Endpoint client = find(process, message.socketId());
        if (client.state() == Endpoint.State.LISTENING) {
            throw wrongState(client, Endpoint.State.ACTIVE);
        }
        if (client.state() == Endpoint.State.CONNECTED) {
            throw new Refusal(Errno.EISCONN, Errno.text(Errno.EISCONN));
        }
        if (message.argument() != 0 && client.state() != Endpoint.State.ACTIVE) {
            throw wrongState(client, Endpoint.State.ACTIVE);
        }
        connector.connect(client, message);
        return client;
    }

    /**
     * The chore that allocates the receive rings for a connect.
     *
     * @param request of an attached process
     * @return null if there is nothing to allocate, or if the connect will be refused anyway
     */
    public Chores.Chore prepareRings(ControlRequest request) {
        return connector.prepareRings(request.process(), request.message());
    }

    /** Takes the oldest connection out of a backlog; returns the new socket. */
    private Endpoint accept(AttachedProcess process, ControlMessage message) throws Refusal {
        Endpoint listener = find(process, message.socketId(), Endpoint.State.LISTENING);
        if (listener.backlog().isEmpty()) {
            throw new Refusal(Errno.EAGAIN, "no connection is pending");
        }
        RingGrants.SendRing ring = RingGrants.find(process, message);
        Endpoint server = listener.backlog().poll();
        RingGrants.give(server, ring);
        server.makeKnown();
        return server;
    }

    /** Answers connect or accept. The descriptor of the ring's region is sent once. */
    private static Reply answer(Endpoint endpoint, ControlMessage message) {
        RingBuffer ring = endpoint.receiveRing();
        message.answer()
                .socketId(endpoint.sid)
                .value(endpoint.introduction())
                .localAddress(endpoint.local())
                .peerAddress(endpoint.remote())
                .receiveRing(
                        ring.region(),
                        ring.offset(),
                        ring.size(),
                        endpoint.process.memory.receiveRegion(ring.region()).size())
                .ringStart(endpoint.receiveSize());
        AttachedProcess process = endpoint.process;
        return process.memory.announce(ring.region())
                ? Reply.answer(process.memory.receiveRegion(ring.region()).fd())
                : Reply.answer();
    }

    private static Reply takeUrgent(AttachedProcess process, ControlMessage message) throws Refusal {
        find(process, message.socketId(), Endpoint.State.CONNECTED).takeUrgent(message.value() != 0);
        message.answer();
        return Reply.answer();
    }

    private static Endpoint find(AttachedProcess process, int sid, Endpoint.State state) throws Refusal {
        Endpoint endpoint = find(process, sid);
        if (endpoint.state() != state) {
            throw wrongState(endpoint, state);
        }
        return endpoint;
    }

    private static Endpoint find(AttachedProcess process, int sid) throws Refusal {
        Endpoint endpoint = process.sockets.get(sid);
        if (endpoint == null || endpoint.isClosing() || !endpoint.isKnown()) {
            throw new Refusal(Errno.EBADF, "no such socket");
        }
        return endpoint;
    }

    private static Refusal wrongState(Endpoint endpoint, Endpoint.State state) {
        return new Refusal(Errno.EINVAL, "the socket is " + endpoint.state() + ", not " + state);
    }
}
