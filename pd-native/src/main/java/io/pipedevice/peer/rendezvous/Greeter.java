// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.RefusedSockets;
import io.pipedevice.linux.ThreadConfinement;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.linux.UserIds;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.PeerName;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Accepts the handshakes of client processes for a listener: its Unix socket, and the clients that have connected and
 * not yet sent a message. Most of this runs on the watching thread, which never waits here.
 *
 * <p>No message of another user's process is received. {@link RefusedSockets} closes the sockets of such clients, on
 * the account of their user.
 */
final class Greeter implements Newcomer.Host, AutoCloseable {
    /** The most silent newcomers; one more displaces the oldest. */
    static final int MAX_SILENT = 64;

    /** How long a newcomer may be silent. */
    private static final long PATIENCE_MS = 2_000;

    private static final LazyLogger LOG = new LazyLogger(Greeter.class);
    private static final int UNIX_BACKLOG = 1024;
    private static final int MAX_AT_ONCE = 64;
    private static final long RETRY_MS = 100;

    private final PeerNetwork network;
    private final UnixSocket socket;

    private final ThreadConfinement watching = new ThreadConfinement();

    /** Used by the watching thread only, like the next two fields. */
    private final RefusedSockets refused;

    private final LinkMessage message;

    private final ServerHandshake handshake;

    /** The newcomers without a message, in the order in which they came; guarded by itself. */
    private final Set<Newcomer> silent = new LinkedHashSet<>();

    /** Guarded by this object's monitor. */
    private FdWatch watch;

    private boolean closed;

    private Greeter(PeerNetwork network, PeerListener listener, UnixSocket socket, RefusedSockets refused) {
        this.network = network;
        this.socket = socket;
        this.refused = refused;
        this.message = new LinkMessage(network.disposal());
        this.handshake = new ServerHandshake(network, listener, message);
    }

    /** Binds the listener's name, and starts accepting clients. */
    static Greeter open(PeerNetwork network, PeerListener listener) throws LinuxException {
        UnixAddress name = PeerName.of(listener.address());
        UnixSocket socket = UnixSocket.listen(UnixSocket.Type.SEQPACKET, name, UNIX_BACKLOG, !network.guards());
        Greeter greeter = new Greeter(
                network, listener, socket, new RefusedSockets(socket, network.disposal(), network.guards()));
        try {
            socket.nonBlocking(true);
            greeter.begin();
            return greeter;
        } catch (LinuxException e) {
            greeter.close();
            throw e;
        }
    }

    private synchronized void begin() throws LinuxException {
        watch = FdWatch.open(socket.fd(), Epoll.IN | Epoll.ONESHOT, events -> letIn());
    }

    private void letIn() {
        boolean later = false;
        try {
            for (int i = 0; i < MAX_AT_ONCE; i++) {
                // Further clients wait in the backlog, and use the kernel meanwhile.
                if (refused.isCrowded()) {
                    after(RETRY_MS, this::goOn);
                    later = true;
                    break;
                }
                UnixSocket client = socket.accept();
                if (client == null) {
                    break;
                }
                greetOrClose(client);
            }
        } catch (LinuxException e) {
            // Descriptors may be exhausted. The clients remain in the socket, which stays ready, so the next attempt
            // has to be delayed.
            LOG.get().log(Level.DEBUG, "cannot accept clients: {0}", e.getMessage());
            after(RETRY_MS, this::goOn);
            later = true;
        } finally {
            if (!later) {
                goOn();
            }
        }
    }

    private synchronized void goOn() {
        if (!closed) {
            try {
                watch.modify(Epoll.IN | Epoll.ONESHOT);
            } catch (LinuxException e) {
                LOG.get().log(Level.WARNING, "no more clients can be accepted", e);
            }
        }
    }

    private static void after(long millis, Runnable task) {
        Executor later = CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, Runnable::run);
        later.execute(task);
    }

    private void greetOrClose(UnixSocket client) {
        try {
            greet(client);
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "a client cannot be accepted: {0}", e.getMessage());
            network.disposal().close(client);
        }
    }

    /** Handles a new client. Its credentials decide whether its messages are received. */
    private void greet(UnixSocket client) throws LinuxException {
        UnixSocket.Credentials who = client.peerCredentials();
        if (!UserIds.isSame(who.uid(), ProcessFacts.effectiveUid())) {
            network.monitor().strangerRefused();
            turnAway(client, network.disposal().accountOfUser(who.uid()), PeerRefusal.Reason.OTHER_USER);
            return;
        }
        DescriptorCloser closer = network.disposal().account(who.pid());
        if (closer.isFull() || network.disposal().isFull()) {
            turnAway(client, closer, PeerRefusal.Reason.NO_MEMORY);
            return;
        }
        await(new Newcomer(this, client, closer));
    }

    /** Refuses a client from which nothing was received. */
    private void turnAway(UnixSocket client, DescriptorCloser closer, PeerRefusal.Reason reason) {
        LOG.get().log(Level.DEBUG, "a client is turned away: {0}", reason);
        handshake.refuse(client, reason);
        refused.close(client, closer);
    }

    /**
     * Waits for the message of a client of this user. First looks for one that has come already, as most have if the
     * kernel does not refuse their descriptors.
     */
    private void await(Newcomer newcomer) throws LinuxException {
        refused.permit(newcomer.socket());
        if (refused.isGuarded()) {
            handshake.permit(newcomer.socket());
        }
        if (hear(newcomer)) {
            return;
        }
        Newcomer first = null;
        synchronized (silent) {
            if (silent.size() >= MAX_SILENT) {
                first = silent.iterator().next();
            }
            silent.add(newcomer);
        }
        if (first != null) {
            first.dismiss();
        }
        try {
            newcomer.await();
            after(PATIENCE_MS, newcomer::dismiss);
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "cannot wait for a client: {0}", e.getMessage());
            newcomer.dismiss();
        }
        if (isClosed()) {
            newcomer.dismiss();
        }
    }

    /** A newcomer has sent something, or has gone. */
    @Override
    public void spoke(Newcomer newcomer) {
        left(newcomer);
        if (!hear(newcomer)) {
            newcomer.closer().close(newcomer.socket());
        }
    }

    @Override
    public void left(Newcomer newcomer) {
        synchronized (silent) {
            silent.remove(newcomer);
        }
    }

    /** Receives the message of a client, and answers it. False if none has come yet. */
    private boolean hear(Newcomer newcomer) {
        assert watching.isHeldByCurrentThread();
        int received;
        message.closer(newcomer.closer());
        try {
            received = message.receiveWhole(newcomer.socket());
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "cannot receive from a client: {0}", e.getMessage());
            newcomer.closer().close(newcomer.socket());
            return true;
        }
        if (received == LinkMessage.NOTHING_YET) {
            return false;
        }
        handshake.answer(newcomer.socket(), received);
        return true;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /**
     * Takes the clients out of the backlog, because closing the descriptors that they sent could block the socket's
     * close.
     */
    private void turnAwayAll() {
        try {
            socket.shutdown(true, false);
            UnixSocket client = socket.accept();
            while (client != null) {
                network.disposal().accountOfUser(client.peerCredentials().uid()).close(client);
                client = socket.accept();
            }
        } catch (LinuxException e) {
            // The socket is shut down and empty.
            LOG.get().log(Level.DEBUG, "no more clients are accepted: {0}", e.getMessage());
        }
    }

    /** Releases the name, and closes the connections of newcomers. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (watch != null) {
                watch.close();
            }
        }
        if (!refused.isGuarded()) {
            turnAwayAll();
        }
        socket.close();
        List<Newcomer> left;
        synchronized (silent) {
            left = new ArrayList<>(silent);
        }
        left.forEach(Newcomer::dismiss);
    }
}
