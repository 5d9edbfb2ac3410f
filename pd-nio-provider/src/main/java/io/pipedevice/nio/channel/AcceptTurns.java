// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.placement.HeldConnections;
import io.pipedevice.nio.placement.RingConnection;
import io.pipedevice.nio.placement.RingListener;
import io.pipedevice.nio.stat.KernelReason;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Accepts from the kernel and from rings in turn, without waiting. Belongs to the holder of the server's accept lock. */
final class AcceptTurns {
    /** The most connections that one call holds without returning one. */
    private static final int MOST_HELD = 64;

    private final ChannelHome home;
    private final Channel server;
    private final ServerSocketChannel kernel;
    private final ServerOptions options;

    /** Whether the kernel has the first turn. */
    private boolean kernelFirst;

    /**
     * Creates them.
     *
     * @param server the channel that accepts
     * @param kernel its kernel channel
     * @param options inherited by accepted connections on rings
     */
    AcceptTurns(ChannelHome home, Channel server, ServerSocketChannel kernel, ServerOptions options) {
        this.home = home;
        this.server = server;
        this.kernel = kernel;
        this.options = options;
    }

    /**
     * Accepts from the kernel or from rings; null if neither has a connection. The other source has the next turn even
     * if this call fails.
     */
    SocketChannel accept(RingListener rings) throws IOException {
        HeldConnections held = rings.held();
        SocketChannel released = held == null ? null : fromHeld(held);
        if (released != null) {
            return released;
        }
        boolean kernelNow = kernelFirst;
        kernelFirst = !kernelNow;
        SocketChannel accepted = kernelNow ? fromKernel(rings) : fromRings(rings);
        if (accepted != null) {
            return accepted;
        }
        return kernelNow ? fromRings(rings) : fromKernel(rings);
    }

    private SocketChannel fromKernel() throws IOException {
        try {
            return kernel.accept();
        } catch (ClosedChannelException e) {
            throw server.isOpen() ? e : new AsynchronousCloseException();
        }
    }

    private SocketChannel fromRings(RingListener rings) throws IOException {
        RingConnection accepted = rings.accept();
        return accepted == null ? null : PdSocketChannel.accepted(home, accepted, options.inherited());
    }

    /** Accepts a connection that was held, and whose way is known now; null if there is none. */
    private SocketChannel fromHeld(HeldConnections held) throws IOException {
        HeldConnections.Arrival arrival = held.accept();
        if (arrival == null) {
            return null;
        }
        return arrival.rings() == null
                ? PdSocketChannel.accepted(home, arrival.kernel(), arrival.reason())
                : PdSocketChannel.introduced(home, arrival.rings(), arrival.kernel());
    }

    private SocketChannel fromKernel(RingListener rings) throws IOException {
        SocketChannel accepted = fromKernel();
        HeldConnections held = rings.held();
        for (int i = 0; held != null && accepted != null && held.hold(accepted); i++) {
            accepted = i < MOST_HELD ? fromKernel() : null;
        }
        if (accepted == null) {
            return null;
        }
        KernelReason reason = rings.whyKernel();
        // The client may have used the kernel because the driver had died, or had not started yet.
        rings.refresh();
        return PdSocketChannel.accepted(home, accepted, reason);
    }
}
