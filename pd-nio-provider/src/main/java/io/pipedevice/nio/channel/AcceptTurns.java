// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.lib.PdSource;
import io.pipedevice.nio.placement.HeldConnections;
import io.pipedevice.nio.placement.RingConnection;
import io.pipedevice.nio.placement.RingListener;
import io.pipedevice.nio.select.AcceptWait;
import io.pipedevice.nio.stat.KernelReason;
import io.pipedevice.nio.transport.BlockingContext;
import io.pipedevice.nio.transport.CallTimeout;
import io.pipedevice.nio.transport.WaitPrediction;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import sun.nio.ch.SelChImpl;

/**
 * Accepts from the kernel and from rings in turn, and waits for both. Belongs to the holder of the server's accept
 * lock, except {@link #wake}, which is for any thread.
 */
final class AcceptTurns {
    /** The most connections that one call holds without returning one. */
    private static final int MOST_HELD = 64;

    private static final int SOURCES = 3;

    private final ChannelHome home;
    private final BlockingContext context;
    private final ServerSocketChannel kernel;
    private final ServerOptions options;

    private final WaitPrediction arrivals = new WaitPrediction();

    /** The source that has the first turn. */
    private int next;

    /** Created for the first wait, by the holder of the accept lock; any thread reads it. */
    private volatile AcceptWait wait;

    /**
     * Creates them.
     *
     * @param context the channel that accepts
     * @param kernel its kernel channel
     * @param options inherited by accepted connections on rings
     */
    AcceptTurns(ChannelHome home, BlockingContext context, ServerSocketChannel kernel, ServerOptions options) {
        this.home = home;
        this.context = context;
        this.kernel = kernel;
        this.options = options;
    }

    /**
     * Waits for a connection, as long as the channel is open, and accepts it.
     *
     * @throws SocketTimeoutException if none arrives within {@code timeoutNs} nanoseconds
     */
    SocketChannel waitAndAccept(RingListener rings, long timeoutNs) throws IOException {
        SocketChannel accepted = null;
        CallTimeout timeout = new CallTimeout(timeoutNs, "Accept");
        long left = timeoutNs;
        context.enter();
        try {
            if (context.isOpen() && (wait == null || !arrivals.waitsFirst())) {
                accepted = accept(rings);
                arrivals.attempted(accepted != null);
            }
            if (accepted == null && context.isOpen() && wait == null) {
                // Only for a wait: the last descriptors may be needed for a connection that is there.
                wait = new AcceptWait(((SelChImpl) kernel).getFDVal());
            }
            while (accepted == null && context.isOpen()) {
                PdSource second = rings.held() == null ? null : rings.held().source();
                wait.await(rings.source(), second, left);
                accepted = context.isOpen() ? accept(rings) : null;
                // Only after an attempt: a connection that is there is accepted, however late this thread runs.
                left = accepted == null ? timeout.left() : left;
            }
        } finally {
            endWait(accepted);
        }
        return accepted;
    }

    /**
     * Ends a wait. If the thread was interrupted, closes the accepted connection, which the program does not get: its
     * client would wait for ever.
     */
    private void endWait(SocketChannel accepted) throws IOException {
        try {
            context.exit(accepted != null);
        } catch (AsynchronousCloseException e) {
            if (accepted != null) {
                accepted.close();
            }
            throw e;
        }
    }

    /** Makes a thread that waits look again. Any thread. */
    void wake() {
        AcceptWait waiting = wait;
        if (waiting != null) {
            waiting.wake();
        }
    }

    /** Gives back the descriptors of waits. No thread waits any more. */
    void closeWait() {
        AcceptWait waited = wait;
        if (waited != null) {
            waited.close();
        }
    }

    /**
     * Accepts from the kernel, from rings, or a connection that was held or introduced; null if none has a connection.
     * The source after the last one tried has the next turn, also if that one fails.
     */
    SocketChannel accept(RingListener rings) throws IOException {
        SocketChannel accepted = null;
        for (int i = 0; i < SOURCES && accepted == null; i++) {
            int source = next;
            next = (source + 1) % SOURCES;
            accepted = accept(rings, source);
        }
        return accepted;
    }

    private SocketChannel accept(RingListener rings, int source) throws IOException {
        return switch (source) {
            case 0 -> rings.held() == null ? null : fromHeld(rings.held(), rings);
            case 1 -> fromRings(rings);
            default -> fromKernel(rings);
        };
    }

    private SocketChannel fromKernel() throws IOException {
        try {
            return kernel.accept();
        } catch (ClosedChannelException e) {
            throw context.isOpen() ? e : new AsynchronousCloseException();
        }
    }

    private SocketChannel fromRings(RingListener rings) throws IOException {
        RingConnection accepted = rings.accept();
        if (accepted == null) {
            return null;
        }
        return accepted.kernel() == null
                ? PdSocketChannel.accepted(home, accepted, options.inherited())
                : PdSocketChannel.introduced(home, accepted, accepted.kernel());
    }

    /** Accepts a connection that was held, and whose way is known now; null if there is none. */
    private SocketChannel fromHeld(HeldConnections held, RingListener rings) throws IOException {
        HeldConnections.Arrival arrival = held.accept();
        if (arrival == null) {
            return null;
        }
        if (arrival.rings() != null && arrival.kernel() == null) {
            return PdSocketChannel.accepted(home, arrival.rings(), options.inherited());
        }
        if (arrival.rings() != null) {
            return PdSocketChannel.introduced(home, arrival.rings(), arrival.kernel());
        }
        KernelReason reason = arrival.reason() == null ? rings.whyKernel() : arrival.reason();
        rings.refresh();
        return PdSocketChannel.accepted(home, arrival.kernel(), reason);
    }

    /**
     * Accepts from the kernel, and has everything held or passed on, so that the server is ready because of what
     * {@link #accept} returns, and of nothing else.
     */
    void takeFromKernel(HeldConnections held) throws IOException {
        SocketChannel accepted = notHeld(held);
        if (accepted != null) {
            held.pass(accepted);
        }
    }

    /** The next kernel connection that is not held, or null. */
    private SocketChannel notHeld(HeldConnections held) throws IOException {
        SocketChannel accepted = fromKernel();
        for (int i = 0; held != null && accepted != null && held.hold(accepted); i++) {
            accepted = i < MOST_HELD ? fromKernel() : null;
        }
        return accepted;
    }

    private SocketChannel fromKernel(RingListener rings) throws IOException {
        SocketChannel accepted = notHeld(rings.held());
        if (accepted == null) {
            return null;
        }
        KernelReason reason = rings.whyKernel();
        // The client may have used the kernel because the driver had died, or had not started yet.
        rings.refresh();
        return PdSocketChannel.accepted(home, accepted, reason);
    }
}
