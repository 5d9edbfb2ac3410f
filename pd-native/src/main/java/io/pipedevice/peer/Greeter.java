// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
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
 */
final class Greeter implements AutoCloseable {
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

    /** Belong to the watching thread. */
    private final LinkMessage message;

    private final ServerHandshake handshake;

    /** In the order in which they came; guarded by itself. */
    private final Set<Newcomer> silent = new LinkedHashSet<>();

    /** Guarded by this object's monitor. */
    private FdWatch watch;

    private boolean closed;

    private Greeter(PeerNetwork network, PeerListener listener, UnixSocket socket) {
        this.network = network;
        this.socket = socket;
        this.message = new LinkMessage(network.disposal());
        this.handshake = new ServerHandshake(network, listener, message);
    }

    /** Takes the listener's name, and lets clients in. */
    static Greeter open(PeerNetwork network, PeerListener listener) throws LinuxException {
        UnixAddress name = PeerName.of(listener.address());
        UnixSocket socket = UnixSocket.listen(UnixSocket.Type.SEQPACKET, name, UNIX_BACKLOG);
        Greeter greeter = new Greeter(network, listener, socket);
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
                UnixSocket client = socket.accept();
                if (client == null) {
                    break;
                }
                greet(client);
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

    /** A client has come. Most have spoken already. */
    private void greet(UnixSocket client) {
        Newcomer newcomer = new Newcomer(this, client, network.disposal());
        if (hear(client)) {
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
    void hear(Newcomer newcomer, UnixSocket client) {
        left(newcomer);
        if (!hear(client)) {
            network.disposal().close(client);
        }
    }

    void left(Newcomer newcomer) {
        synchronized (silent) {
            silent.remove(newcomer);
        }
    }

    /** Hears what a client says, and answers. False if it has said nothing yet. */
    private boolean hear(UnixSocket client) {
        int received;
        try {
            received = message.receive(client);
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "a client is not understood: {0}", e.getMessage());
            network.disposal().close(client);
            return true;
        }
        if (received == LinkMessage.NOTHING_YET) {
            return false;
        }
        handshake.answer(client, received);
        return true;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Closes the socket, so that its name is free, without the clients in it: they may have sent what takes time to close. */
    private void turnAway() {
        try {
            socket.shutdown(true, false);
            UnixSocket client = socket.accept();
            while (client != null) {
                network.disposal().close(client);
                client = socket.accept();
            }
        } catch (LinuxException e) {
            // Shut and empty.
            LOG.get().log(Level.DEBUG, "nobody is let in any more: {0}", e.getMessage());
        }
        socket.close();
    }

    /** Gives the name back, and sends away who has said nothing yet. */
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
        turnAway();
        List<Newcomer> left;
        synchronized (silent) {
            left = new ArrayList<>(silent);
        }
        left.forEach(Newcomer::dismiss);
    }
}
