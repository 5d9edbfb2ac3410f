// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.RefusedSockets;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.linux.UserIds;
import io.pipedevice.peer.link.ConnectionRule;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.PeerName;
import io.pipedevice.wait.Later;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Accepts the clients of a listener at its Unix socket. Most of this runs on the watching thread, which never waits
 * here.
 *
 * <p>No message of another user's process is received. {@link RefusedSockets} closes the sockets of such clients, on
 * the account of their user.
 */
final class Greeter implements Entrance {
    private static final LazyLogger LOG = new LazyLogger(Greeter.class);
    private static final LimitedLog NO_MORE = LimitedLog.warning(Greeter.class, "no more clients can be accepted");
    private static final int UNIX_BACKLOG = 1024;
    private static final int MAX_AT_ONCE = 64;
    private static final long RETRY_MS = 100;

    private final PeerNetwork network;
    private final UnixSocket socket;

    private final Newcomers newcomers;
    private final ConnectionRule rule;

    /** Used by the watching thread only. */
    private final RefusedSockets refused;

    /** Guarded by this object's monitor. */
    private FdWatch watch;

    private boolean closed;

    private Greeter(
            PeerNetwork network, UnixSocket socket, Newcomers newcomers, ConnectionRule rule, RefusedSockets refused) {
        this.rule = rule;
        this.network = network;
        this.socket = socket;
        this.newcomers = newcomers;
        this.refused = refused;
    }

    /** Binds the listener's name, and starts accepting clients. */
    static Greeter open(PeerNetwork network, InetSocketAddress address, Newcomers newcomers) throws LinuxException {
        UnixAddress name = PeerName.of(address);
        UnixSocket socket = UnixSocket.listen(UnixSocket.Type.SEQPACKET, name, UNIX_BACKLOG, !network.guards());
        Greeter greeter = new Greeter(
                network,
                socket,
                newcomers,
                new AddressRule(address, OptionalLong.empty()),
                new RefusedSockets(socket, network.disposal(), network.guards()));
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
                    Later.after(RETRY_MS, TimeUnit.MILLISECONDS, this::goOn);
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
            Later.after(RETRY_MS, TimeUnit.MILLISECONDS, this::goOn);
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
                NO_MORE.log(e);
            }
        }
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
        UnixSocket.Credentials credentials = client.peerCredentials();
        if (!UserIds.isSame(credentials.uid(), ProcessFacts.effectiveUid())) {
            network.monitor().strangerRefused();
            turnAway(client, network.disposal().accountOfUser(credentials.uid()), PeerRefusal.Reason.OTHER_USER);
            return;
        }
        DescriptorCloser closer = network.disposal().account(credentials.pid());
        if (closer.isFull() || network.disposal().isFull()) {
            turnAway(client, closer, PeerRefusal.Reason.NO_DESCRIPTORS);
            return;
        }
        await(new Newcomer(newcomers, client, credentials, closer, rule));
    }

    /** Refuses a client from which nothing was received. */
    private void turnAway(UnixSocket client, DescriptorCloser closer, PeerRefusal.Reason reason) {
        newcomers.refuse(client, reason);
        refused.close(client, closer);
    }

    /**
     * Waits for the message of a client of this user, which most have sent if the kernel does not refuse descriptors.
     */
    private void await(Newcomer newcomer) throws LinuxException {
        refused.permit(newcomer.socket());
        if (refused.isGuarded()) {
            newcomers.permit(newcomer);
        }
        newcomers.greet(newcomer);
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
        newcomers.close();
    }
}
