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
 * Where client processes come to a listener: its Unix socket, and those who have come and have not said yet what they want.
 * Most of it happens on the watching thread, which never waits here.
 *
 * <p>Nothing is received from other users, whose sockets are closed as {@link RefusedSockets} says, in an account by user.
 */
final class Greeter implements Newcomer.Host, AutoCloseable {
    /** Most newcomers that may be silent; another one takes the place of the first. */
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

    /** Belong to the watching thread. */
    private final RefusedSockets refused;

    private final LinkMessage message;

    private final ServerHandshake handshake;

    /** In the order in which they came; guarded by itself. */
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

    /** Takes the listener's name, and lets clients in. */
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
                // Those behind the next client wait, and use the kernel meanwhile.
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
            // Descriptors may be exhausted. The clients remain in the socket, which says so for ever: not at once
            // again.
            LOG.get().log(Level.DEBUG, "cannot let clients in: {0}", e.getMessage());
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
                LOG.get().log(Level.WARNING, "no more clients can be let in", e);
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
            LOG.get().log(Level.DEBUG, "a client cannot be let in: {0}", e.getMessage());
            network.disposal().close(client);
        }
    }

    /** A client has come. Who it is decides whether anything is received. */
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

    /** A client of this user may speak. Where it may have spoken before, most have. */
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
            LOG.get().log(Level.DEBUG, "a client cannot be waited for: {0}", e.getMessage());
            newcomer.dismiss();
        }
        if (isClosed()) {
            newcomer.dismiss();
        }
    }

    /** A newcomer has spoken, or gone. */
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

    /** Hears what a client says, and answers. False if it has said nothing yet. */
    private boolean hear(Newcomer newcomer) {
        assert watching.isHeldByCurrentThread();
        int received;
        message.closer(newcomer.closer());
        try {
            received = message.receiveWhole(newcomer.socket());
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "a client is not understood: {0}", e.getMessage());
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

    /** Takes the clients out of the socket, whose close would wait for what they may have sent. */
    private void turnAwayAll() {
        try {
            socket.shutdown(true, false);
            UnixSocket client = socket.accept();
            while (client != null) {
                network.disposal().accountOfUser(client.peerCredentials().uid()).close(client);
                client = socket.accept();
            }
        } catch (LinuxException e) {
            // Shut and empty.
            LOG.get().log(Level.DEBUG, "nobody is let in any more: {0}", e.getMessage());
        }
    }

    /** Gives the name back, and closes the connections that have sent nothing yet. */
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
