// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdListener;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.ConnectionRule;
import io.pipedevice.peer.link.LinkParts;
import io.pipedevice.peer.link.ServerLink;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.BellLink;
import io.pipedevice.peer.wait.PeerSource;
import io.pipedevice.peer.wait.PeerWait;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A listening address of this process, to which other processes, and this one, connect by peer placement. Thread safe.
 * Closed by its opener; accepted connections outlive it.
 */
public final class PeerListener extends PeerSource implements PdListener {
    /**
     * How long an accept that has found no other connection waits for the lock of a link that has one. A thread holds
     * the lock for less than a millisecond, but may be preempted meanwhile.
     */
    private static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final PeerNetwork network;
    private final InetSocketAddress address;
    private final ListenerLinks links;
    private final Newcomers newcomers;
    private final Entrance entrance;

    /** Whether the accepting thread has something else to do, which counts as a connection that waits. */
    private final BooleanSupplier others;

    private PeerListener(PeerNetwork network, InetSocketAddress address, int backlog) throws LinuxException {
        this.network = network;
        this.address = address;
        this.links = new ListenerLinks(this, Math.clamp(backlog, 1, LinkMemoryDescriptor.MAX_CONNECTIONS));
        this.others = () -> false;
        this.newcomers = new Newcomers(new Clients());
        this.entrance = Greeter.open(network, address, newcomers);
    }

    private PeerListener(PeerNetwork network, BooleanSupplier others, int backlog) {
        this.network = network;
        this.address = null;
        this.links = new ListenerLinks(this, Math.clamp(backlog, 1, LinkMemoryDescriptor.MAX_CONNECTIONS));
        this.others = others;
        this.newcomers = new Newcomers(new Clients());
        this.entrance = newcomers;
    }

    static PeerListener open(PeerNetwork network, InetSocketAddress address, int backlog) throws LinuxException {
        return new PeerListener(network, address, backlog);
    }

    static PeerListener introduced(PeerNetwork network, BooleanSupplier others, int backlog) {
        return new PeerListener(network, others, backlog);
    }

    /**
     * Lets a client in that a third process has introduced. Any thread.
     *
     * @param client connected to the client's process; taken over
     * @param credentials of the client's process, as the third one says
     * @param rule which connections of the client this takes
     */
    public void admit(UnixSocket client, UnixSocket.Credentials credentials, ConnectionRule rule) {
        DescriptorCloser closer = network.disposal().account(credentials.pid());
        if (closer.isFull() || network.disposal().isFull()) {
            closer.close(client);
        } else {
            newcomers.await(new Newcomer(newcomers, client, credentials, closer, rule));
        }
    }

    /**
     * The address at which this listens.
     *
     * @return the address that it was opened with; null if clients are introduced
     */
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public InetSocketAddress localAddress() {
        return address;
    }

    /**
     * Takes the next connection that waits. Client processes are served in turn.
     *
     * @return the connection, for the caller to close; null if none waits
     * @throws PdException ENOMEM and the like if there is no room for it, so that it continues to wait; EBADF after
     *     close
     */
    public PeerSocket accept() throws PdException {
        PeerSocket socket = links.take(0);
        // A connection may wait on a link whose lock another thread holds.
        return socket == null && links.isWaiting() ? links.take(PATIENCE_NS) : socket;
    }

    @Override
    public PeerSocket accept(long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        PeerSocket socket = accept();
        PeerWait wait = socket == null ? new PeerWait(this, PdEpoll.IN) : null;
        long start = System.nanoTime();
        long left = timeoutNanos;
        while (socket == null && left > 0 && wait.await(left)) {
            socket = accept();
            left = timeoutNanos == Long.MAX_VALUE ? timeoutNanos : timeoutNanos - (System.nanoTime() - start);
        }
        return socket;
    }

    @Override
    public boolean isOpen() {
        return links.isOpen();
    }

    @Override
    public int readiness(int wanted) {
        if (!links.isOpen()) {
            return PdEpoll.HUP;
        }
        if ((wanted & PdEpoll.IN) == 0) {
            return 0;
        }
        return links.isWaiting() || others.getAsBoolean() ? PdEpoll.IN : 0;
    }

    @Override
    protected boolean arm(int direction, Bell bell, long generation, int cookie) {
        return links.arm(bell, generation, cookie);
    }

    @Override
    protected boolean sharesProcessor(int processor) {
        return links.wereAllPostedFrom(processor);
    }

    @Override
    protected boolean isOf(BellLink link) {
        return link instanceof ServerLink one && one.isOf(links);
    }

    @Override
    protected void forEachLink(Consumer<BellLink> visitor) {
        links.forEach(visitor);
    }

    @Override
    protected void disarm(int direction) {
        links.disarm();
    }

    /**
     * The links with clients. Any thread.
     *
     * @return those at the moment of the call
     */
    public List<ServerLink> links() {
        return links.all();
    }

    /**
     * Frees the name, so that no further process finds this listener, and refuses the connections of those with a link.
     * What it owns it keeps until it is closed.
     */
    public void withdraw() {
        entrance.close();
        links.refuseConnections();
    }

    /** Stops listening. Connections that were not accepted are reset. */
    @Override
    public void close() {
        if (!links.beginClose()) {
            return;
        }
        entrance.close();
        links.close();
        network.closed(this);
        endWaits();
    }

    /** The services that handshakes with clients need from this listener. */
    private final class Clients implements ServerHandshake.Host {
        @Override
        public Disposal disposal() {
            return network.disposal();
        }

        @Override
        public ServerLink link(LinkParts parts, ConnectionRule rule) {
            ServerLink link = new ServerLink(network.owner(), parts, links, rule);
            network.begun(link);
            return link;
        }

        @Override
        public boolean add(ServerLink link, ServerHandshake.Welcome welcome) throws IOException {
            return links.add(link, welcome);
        }

        @Override
        public void linked(ServerLink link) {
            links.linked(link);
        }

        @Override
        public void lost(ServerLink link) {
            links.lost(link);
        }
    }
}
