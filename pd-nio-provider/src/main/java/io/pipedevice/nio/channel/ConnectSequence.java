// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.placement.ConnectDecision;
import io.pipedevice.nio.placement.Placement;
import io.pipedevice.nio.stat.ConnectionRecord;
import io.pipedevice.nio.stat.KernelLog;
import io.pipedevice.nio.stat.Statistics;
import io.pipedevice.nio.transport.BlockingContext;
import io.pipedevice.nio.transport.KernelTransport;
import io.pipedevice.nio.transport.RingTransport;
import io.pipedevice.nio.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * The steps by which a socket channel connects: bind, connect, finishConnect. Each takes both of the channel's locks.
 * Thread safe.
 */
final class ConnectSequence {
    private final ChannelHome home;
    private final BlockingContext context;
    private final SocketState state;
    private final ChannelLocks locks;
    private final ChannelKeys keys;
    private final OptionStore options;
    private final CloseSequence closing;

    ConnectSequence(
            ChannelHome home,
            BlockingContext context,
            SocketState state,
            ChannelLocks locks,
            ChannelKeys keys,
            OptionStore options,
            CloseSequence closing) {
        this.home = home;
        this.context = context;
        this.state = state;
        this.locks = locks;
        this.keys = keys;
        this.options = options;
        this.closing = closing;
    }

    void bind(SocketAddress local) throws IOException {
        locks.lockBoth();
        try {
            state.requireOpen();
            state.requireNotPending();
            if (state.isConnected()) {
                throw new AlreadyBoundException();
            }
            SocketChannel kernel = options.kernel();
            kernel.bind(local);
            state.bound((InetSocketAddress) kernel.getLocalAddress());
        } finally {
            locks.unlockBoth();
            closing.resume();
        }
    }

    /**
     * Connects, or begins to in non-blocking mode. A channel that fails to connect is closed.
     *
     * @param to an address that {@link Addresses#checkRemote} has accepted
     * @param timeoutMillis the longest time to connect, in milliseconds; 0 for no limit
     * @return whether it is connected
     */
    boolean connect(InetSocketAddress to, int timeoutMillis) throws IOException {
        locks.lockBoth();
        boolean failed = true;
        try {
            state.beginConnect(to);
            context.leaveIfInterrupted();
            boolean done = connectTo(to, timeoutMillis);
            failed = false;
            return done;
        } catch (AlreadyConnectedException | ConnectionPendingException e) {
            failed = false;
            throw e;
        } finally {
            leave(failed);
        }
    }

    private void leave(boolean failed) {
        locks.unlockBoth();
        closing.resume();
        if (failed) {
            closing.closeQuietly();
        }
    }

    private boolean connectTo(InetSocketAddress to, int timeoutMillis) throws IOException {
        SocketChannel kernel = options.kernel();
        long start = System.nanoTime();
        int unlimited = context.isBlocking() ? Placement.UNBOUNDED : Integer.MAX_VALUE;
        int longest = timeoutMillis > 0 ? timeoutMillis : unlimited;
        ConnectDecision decision =
                ConnectDecision.decide(home.placement(), home.locality(), options, kernel, to, longest);
        if (decision.rings() != null) {
            decision.rings().linger(options.linger());
            int size = options.sendSize(0);
            if (size > 0) {
                decision.rings().sendSize(size);
            }
            ConnectionRecord record = Statistics.connected(true);
            decided(new RingTransport(context, locks, decision.rings(), record), record);
            context.leaveIfInterrupted();
            return context.isBlocking() && finish();
        }
        ConnectionRecord record = Statistics.connectingByKernel(decision.reason());
        decided(new KernelTransport(kernel, record), record);
        KernelLog.connects(to, decision.reason(), decision.detail());
        if (timeoutMillis > 0) {
            long spent = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            kernel.socket().connect(to, (int) Math.max(1, timeoutMillis - spent));
            return finish();
        }
        return kernel.connect(to) && finish();
    }

    private void decided(Transport to, ConnectionRecord record) throws IOException {
        state.decided(to, record);
        keys.transportChanged();
    }

    /** Finishes the connect that {@link #connect} began; whether the channel is connected. */
    boolean finishConnect() throws IOException {
        locks.lockBoth();
        boolean failed = false;
        try {
            state.requireOpen();
            if (state.isConnected()) {
                return true;
            }
            Transport through = state.transport();
            // A channel that failed to connect has no transport, and is about to be closed.
            if (!state.isPending() || through == null) {
                throw new NoConnectionPendingException();
            }
            return through.finishConnect() && finish();
        } catch (IOException e) {
            failed = true;
            throw e;
        } finally {
            leave(failed);
        }
    }

    private boolean finish() throws IOException {
        assert locks.areHeldByCurrentThread();
        state.finish(state.transport().localAddress());
        if (!state.record().accelerated()) {
            Statistics.established(state.record());
            InetSocketAddress server = state.remote();
            InetAddress host = server.getAddress();
            Statistics.onKernelWith(state.record().reason(), true, host, server.getPort());
        }
        return true;
    }
}
