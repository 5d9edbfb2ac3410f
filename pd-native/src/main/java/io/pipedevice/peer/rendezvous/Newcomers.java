// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ThreadConfinement;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.wait.Later;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The clients of a listener whose identity is known and whose first message has not come yet. Receives that message,
 * and has it answered. Thread safe, except where noted; closed by the owner of the listener's entrance.
 */
final class Newcomers implements Newcomer.Host, Entrance {
    /** The most silent newcomers; one more displaces the oldest. */
    static final int MAX_SILENT = 64;

    /** How long a newcomer may be silent. */
    private static final long PATIENCE_MS = 2_000;

    private static final LazyLogger LOG = new LazyLogger(Newcomers.class);

    private final ThreadConfinement watching = new ThreadConfinement();

    /** This and the next field are used by the watching thread only. */
    private final LinkMessage message;

    private final ServerHandshake handshake;

    /** The newcomers without a message, in the order in which they came; guarded by itself. */
    private final Set<Newcomer> silent = new LinkedHashSet<>();

    private volatile boolean closed;

    Newcomers(ServerHandshake.Host listener) {
        this.message = new LinkMessage(listener.disposal());
        this.handshake = new ServerHandshake(listener, message);
    }

    /**
     * Waits for the message of a client. First looks for one that has come already. Called by the watching thread.
     */
    void greet(Newcomer newcomer) {
        if (!receiveMessage(newcomer)) {
            await(newcomer);
        }
    }

    /** Permits a client to send descriptors. Called by the watching thread. */
    void permit(Newcomer newcomer) {
        assert watching.isHeldByCurrentThread();
        handshake.permit(newcomer.socket());
    }

    /** Sends a client from which nothing was received why it gets no link. Called by the watching thread. */
    void refuse(UnixSocket client, PeerRefusal.Reason reason) {
        assert watching.isHeldByCurrentThread();
        LOG.get().log(Level.DEBUG, "a client is turned away: {0}", reason);
        handshake.refuse(client, reason);
    }

    /** Waits for the message of a client, which the watching thread receives. */
    void await(Newcomer newcomer) {
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
            Later.after(PATIENCE_MS, TimeUnit.MILLISECONDS, newcomer::dismiss);
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "cannot wait for a client: {0}", e.getMessage());
            newcomer.dismiss();
        }
        if (closed) {
            newcomer.dismiss();
        }
    }

    /** A newcomer has sent something, or has gone. */
    @Override
    public void spoke(Newcomer newcomer) {
        left(newcomer);
        if (!receiveMessage(newcomer)) {
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
    private boolean receiveMessage(Newcomer newcomer) {
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
        handshake.answer(newcomer, received);
        return true;
    }

    /** Closes the connections of newcomers. */
    @Override
    public void close() {
        closed = true;
        List<Newcomer> left;
        synchronized (silent) {
            left = new ArrayList<>(silent);
        }
        left.forEach(Newcomer::dismiss);
    }
}
