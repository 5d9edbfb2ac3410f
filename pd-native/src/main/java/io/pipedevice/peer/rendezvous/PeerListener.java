// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdListener;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.AskedByte;
import io.pipedevice.peer.link.Claimant;
import io.pipedevice.peer.link.ConnectionRule;
import io.pipedevice.peer.link.LinkListener;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/**
 * A listening address of this process, to which other processes, and this one, connect by peer placement. Thread safe.
 * Closed by its opener; accepted connections outlive it.
 */
public final class PeerListener extends PeerSource implements PdListener {
    /** The most links at the same time. */
    private static final int MAX_LINKS = 4096;

    /** The most links with one client process. It needs one, and a few more while earlier ones end. */
    static final int MAX_LINKS_OF_ONE = 16;

    /** The most links whose processors are compared: with more, the comparison is not worth its cost. */
    private static final int MOST_ASKED = 16;

    /**
     * How long an accept that has found no other connection waits for the lock of a link that has one. A thread holds
     * the lock for less than a millisecond, but may be preempted meanwhile.
     */
    private static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LinkListener served = new Served();
    private final PeerNetwork network;
    private final InetSocketAddress address;
    private final int backlog;
    private final Newcomers newcomers;
    private final Entrance entrance;

    /** Whether the accepting thread has something else to do, which counts as a connection that waits. */
    private final BooleanSupplier others;

    /**
     * Guards the list of links and the arming of their accept rings. Its holder does not wait for the lock of a link.
     */
    private final ReentrantLock lock = new ReentrantLock();

    /** Replaced when it changes, under the lock; any thread reads it. */
    private volatile ServerLink[] links = {};

    /** The index of the link that is checked first: the one after the link served last. Any thread; a hint. */
    private volatile int next;

    /** The bell that the accept rings are armed with; null if they are not. Guarded by the lock, like the next two. */
    private Bell armedBell;

    private long armedGeneration;
    private int armedCookie;
    private volatile boolean closed;

    private PeerListener(PeerNetwork network, InetSocketAddress address, int backlog) throws LinuxException {
        this.network = network;
        this.address = address;
        this.backlog = Math.clamp(backlog, 1, LinkMemoryDescriptor.MAX_CONNECTIONS);
        this.others = () -> false;
        this.newcomers = new Newcomers(new Clients());
        this.entrance = Greeter.open(network, address, newcomers);
    }

    private PeerListener(PeerNetwork network, BooleanSupplier others, int backlog) {
        this.network = network;
        this.address = null;
        this.backlog = Math.clamp(backlog, 1, LinkMemoryDescriptor.MAX_CONNECTIONS);
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

    int backlog() {
        return backlog;
    }

    /**
     * Takes the next connection that waits. Client processes are served in turn.
     *
     * @return the connection, for the caller to close; null if none waits
     * @throws PdException ENOMEM and the like if there is no room for it, so that it continues to wait; EBADF after
     *     close
     */
    public PeerSocket accept() throws PdException {
        PeerSocket socket = take(0);
        // A connection may wait on a link whose lock another thread holds.
        return socket == null && isWaiting() ? take(PATIENCE_NS) : socket;
    }

    private PeerSocket take(long patienceNanos) throws PdException {
        if (closed) {
            throw new PdException(Errno.EBADF, "the listener is closed");
        }
        IOException failure = null;
        ServerLink[] all = links;
        int first = next;
        for (int i = 0; i < all.length; i++) {
            int index = (first + i) % all.length;
            ServerLink link = all[index];
            try {
                PeerSocket socket = link.isWaiting() ? link.accept(patienceNanos) : null;
                if (socket != null) {
                    next = index + 1;
                    return socket;
                }
                if (link.isBroken() && !link.isWaiting()) {
                    drop(link);
                }
            } catch (IOException e) {
                // The other links are served nevertheless.
                failure = e;
            }
        }
        throwIfAny(failure);
        return null;
    }

    /** Whether a connection waits to be accepted. */
    private boolean isWaiting() {
        for (ServerLink link : links) {
            if (link.isWaiting()) {
                return true;
            }
        }
        return false;
    }

    private static void throwIfAny(IOException failure) throws PdException {
        if (failure instanceof PdException why) {
            throw why;
        }
        if (failure != null) {
            int errno = failure instanceof LinuxException why ? why.errno() : Errno.EIO;
            throw new PdException(errno, failure.getMessage());
        }
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

    private void drop(ServerLink link) {
        if (remove(link)) {
            link.stopListening();
        }
    }

    /** Removes a link from the list. False if it is not there. */
    private boolean remove(ServerLink link) {
        lock.lock();
        try {
            List<ServerLink> kept = new ArrayList<>(Arrays.asList(links));
            boolean was = kept.remove(link);
            if (was) {
                links = kept.toArray(ServerLink[]::new);
            }
            return was;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds the link of a new client, and sends the welcome before another thread can announce a bell on the link. False
     * if there is no room for it.
     */
    boolean add(ServerLink link, ServerHandshake.Welcome welcome) throws IOException {
        lock.lock();
        try {
            ServerLink[] all = links;
            if (closed
                    || !link.isAffordable()
                    || all.length >= MAX_LINKS
                    || linksWith(link.pid()) >= MAX_LINKS_OF_ONE) {
                return false;
            }
            ServerLink[] more = Arrays.copyOf(all, all.length + 1);
            more[all.length] = link;
            // Before the client knows of the link, because a thread that accepts its connection takes no lock. A thread
            // that arms takes this one.
            links = more;
            // Early: at the client's first connect each watching thread is already awake and checks this link, or waits
            // here to arm it.
            wakeWatchers();
            boolean told = false;
            try {
                welcome.send();
                told = true;
            } finally {
                links = told ? more : all;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The number of links with a process; 0 for processes in other PID namespaces, which cannot be distinguished. */
    private long linksWith(int pid) {
        return pid == 0
                ? 0
                : Arrays.stream(links).filter(link -> link.pid() == pid).count();
    }

    /** The welcome was sent to a client. */
    void linked(ServerLink link) {
        lock.lock();
        try {
            if (armedBell != null && !closed) {
                link.arm(armedBell, armedGeneration, armedCookie);
            }
        } finally {
            lock.unlock();
        }
        // The client may have connected before its accept ring was armed, and a failed arming has to be repeated.
        wakeWatchers();
    }

    /** A client is gone. Its connections still wait to be accepted. */
    void lost(ServerLink link) {
        if (!link.isWaiting()) {
            drop(link);
        }
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public int readiness(int wanted) {
        if (closed) {
            return PdEpoll.HUP;
        }
        if ((wanted & PdEpoll.IN) == 0) {
            return 0;
        }
        return isWaiting() || others.getAsBoolean() ? PdEpoll.IN : 0;
    }

    @Override
    protected boolean arm(int direction, Bell bell, long generation, int cookie) {
        lock.lock();
        try {
            armedBell = bell;
            armedGeneration = generation;
            armedCookie = cookie;
            boolean all = true;
            for (ServerLink link : links) {
                all &= link.isBroken() || link.arm(bell, generation, cookie);
            }
            return all;
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected boolean sharesProcessor(int processor) {
        ServerLink[] asked = links;
        boolean all = processor >= 0 && asked.length > 0 && asked.length <= MOST_ASKED;
        for (int i = 0; all && i < asked.length; i++) {
            all = asked[i].wasPostedFrom(processor);
        }
        return all;
    }

    @Override
    protected boolean isOf(BellLink link) {
        return link instanceof ServerLink one && one.isOf(served);
    }

    @Override
    protected void forEachLink(Consumer<BellLink> visitor) {
        for (ServerLink link : links) {
            visitor.accept(link);
        }
    }

    @Override
    protected void disarm(int direction) {
        lock.lock();
        try {
            armedBell = null;
            for (ServerLink link : links) {
                link.disarm();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Asks the clients that have announced a connection from a port for a byte on that connection. Any thread.
     *
     * @param port that a kernel connection has come from
     * @param shown the byte that this process sends on that connection if any client was asked, 0 to 255
     * @param bytes makes bytes, 0 to 255, that no client can guess
     * @param which the links whose clients may be asked
     * @param most the most clients
     * @return the question; empty if no client has announced a connection from the port, or more than the most have
     */
    public List<AskedByte> challenge(int port, int shown, IntSupplier bytes, Predicate<Claimant> which, int most) {
        List<AskedByte> all = List.of();
        for (ServerLink link : links) {
            List<AskedByte> before = all;
            AskedByte asked = which.test(link) ? link.challenge(port, shown, () -> another(bytes, before)) : null;
            if (asked != null) {
                all = all.isEmpty() ? new ArrayList<>(1) : all;
                all.add(asked);
            }
            if (all.size() > most) {
                all.forEach(AskedByte::leave);
                return List.of();
            }
        }
        return all;
    }

    /**
     * Whether a connection of a process waits to be accepted. Any thread.
     *
     * @param pid the number of the process
     * @return the answer at the moment of the call; false for a process whose links have ended
     */
    public boolean isWaiting(int pid) {
        for (ServerLink link : links) {
            if (link.pid() == pid && link.isWaiting()) {
                return true;
            }
        }
        return false;
    }

    /** A byte that no other client was asked for. */
    private static int another(IntSupplier bytes, List<AskedByte> others) {
        while (true) {
            int value = bytes.getAsInt();
            if (others.stream().noneMatch(each -> each.value() == value)) {
                return value;
            }
        }
    }

    private ServerLink[] takeAll() {
        lock.lock();
        try {
            ServerLink[] all = links;
            links = new ServerLink[0];
            return all;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Frees the name, so that no further process finds this listener, and refuses the connections of those with a link.
     * What it owns it keeps until it is closed.
     */
    public void withdraw() {
        entrance.close();
        for (ServerLink link : links) {
            link.refuseConnections();
        }
    }

    /** Stops listening. Connections that were not accepted are reset. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        entrance.close();
        for (ServerLink link : takeAll()) {
            link.stopListening();
        }
        network.closed(this);
        endWaits();
    }

    /** The services that links need from this listener. */
    private final class Served implements LinkListener {
        @Override
        public int backlog() {
            return backlog;
        }

        @Override
        public void lost(ServerLink link) {
            PeerListener.this.lost(link);
        }
    }

    /** The services that handshakes with clients need from this listener. */
    private final class Clients implements ServerHandshake.Host {
        @Override
        public Disposal disposal() {
            return network.disposal();
        }

        @Override
        public ServerLink link(LinkParts parts, ConnectionRule rule) {
            ServerLink link = new ServerLink(network.owner(), parts, served, rule);
            network.begun(link);
            return link;
        }

        @Override
        public boolean add(ServerLink link, ServerHandshake.Welcome welcome) throws IOException {
            return PeerListener.this.add(link, welcome);
        }

        @Override
        public void linked(ServerLink link) {
            PeerListener.this.linked(link);
        }

        @Override
        public void lost(ServerLink link) {
            PeerListener.this.lost(link);
        }
    }
}
