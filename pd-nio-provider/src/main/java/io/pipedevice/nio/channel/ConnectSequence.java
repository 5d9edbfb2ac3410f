// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.linux.Poll;
import io.pipedevice.nio.placement.ConnectDecision;
import io.pipedevice.nio.placement.KernelFallbackException;
import io.pipedevice.nio.placement.KernelMeeting;
import io.pipedevice.nio.placement.Placement;
import io.pipedevice.nio.placement.RingConnection;
import io.pipedevice.nio.placement.UnixConnection;
import io.pipedevice.nio.stat.ConnectionRecord;
import io.pipedevice.nio.stat.KernelLog;
import io.pipedevice.nio.stat.KernelReason;
import io.pipedevice.nio.stat.Statistics;
import io.pipedevice.nio.transport.BlockingContext;
import io.pipedevice.nio.transport.CallTimeout;
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
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.function.BooleanSupplier;

/**
 * The steps by which a socket channel connects: bind, connect, finishConnect. Each takes both of the channel's locks.
 * Thread safe.
 */
final class ConnectSequence implements BooleanSupplier {
    private final ChannelHome home;
    private final BlockingContext context;
    private final KernelSide kernelSide;
    private final SocketState state;
    private final ChannelLocks locks;
    private final ChannelKeys keys;
    private final OptionStore options;
    private final CloseSequence closing;

    /**
     * The kernel's connection while it may still change to rings; else null. Set under both locks.
     */
    private volatile KernelFirst first;

    ConnectSequence(
            ChannelHome home,
            KernelSide kernelSide,
            SocketState state,
            ChannelLocks locks,
            ChannelKeys keys,
            OptionStore options,
            CloseSequence closing) {
        this.home = home;
        this.context = kernelSide.context();
        this.kernelSide = kernelSide;
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
     * @param to an address that {@link AddressChecks#checkRemote} has accepted
     * @param timeoutMillis the longest time to connect, in milliseconds; 0 for no limit
     * @return whether it is connected
     */
    boolean connect(InetSocketAddress to, int timeoutMillis) throws IOException {
        locks.lockBoth();
        boolean failed = true;
        try (HeldInterrupt interrupt = new HeldInterrupt(!home.endsByInterrupt())) {
            interrupt.take();
            state.beginConnect(to);
            context.leaveIfInterrupted();
            boolean done = connectTo(to, timeoutMillis, interrupt);
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
        if (failed) {
            abandon();
        }
        locks.unlockBoth();
        closing.resume();
        if (failed) {
            closing.closeQuietly();
        }
    }

    private boolean connectTo(InetSocketAddress to, int timeoutMillis, HeldInterrupt interrupt) throws IOException {
        SocketChannel kernel = options.kernel();
        kernelSide.prepare(kernel);
        long start = System.nanoTime();
        RuleConnect rule = home.rules() == null ? null : RuleConnect.of(home, kernelSide, options, to, timeoutMillis);
        if (rule != null) {
            return connectBy(rule, kernel, to, timeoutMillis, interrupt);
        }
        ConnectDecision decision = decide(kernel, to, timeoutMillis);
        while (decision.rings() == null && interrupt.take()) {
            // The interrupt may have ended the wait for the peer, which goes on in what is left of the time.
            decision = decide(kernel, to, CallTimeout.leftMillis(timeoutMillis, start));
        }
        if (decision.rings() != null) {
            throughRings(decision.rings());
            context.leaveIfInterrupted();
            return context.isBlocking() && finish();
        }
        first = kernelFirst(kernel, to, decision, timeoutMillis);
        return kernelSide.connect(kernel, to, CallTimeout.leftMillis(timeoutMillis, start))
                && (first == null ? finish() : goOn(interrupt));
    }

    /** Connects to the Unix-domain socket of a rule, or else through the kernel. */
    private boolean connectBy(
            RuleConnect rule, SocketChannel kernel, InetSocketAddress to, int timeoutMillis, HeldInterrupt interrupt)
            throws IOException {
        long start = System.nanoTime();
        try {
            UnixConnection unix = rule.connect(kernel, to, timeoutMillis, start, this, interrupt);
            ConnectionRecord record = Statistics.connectingByKernel(KernelReason.UNIX_RULE);
            decided(rule.transport(unix, record), record);
            context.leaveIfInterrupted();
            return context.isBlocking() && finish();
        } catch (KernelFallbackException e) {
            throughKernel(kernel, to, e.reason(), e.getMessage());
            return kernelSide.connect(kernel, to, CallTimeout.leftMillis(timeoutMillis, start)) && finish();
        }
    }

    /** Whether the connecting thread waits if the server's backlog is full. */
    @Override
    public boolean getAsBoolean() {
        return context.isBlocking() && context.isOpen();
    }

    private ConnectDecision decide(SocketChannel kernel, InetSocketAddress to, int timeoutMillis) {
        int unlimited = context.isBlocking() ? Placement.UNBOUNDED : Integer.MAX_VALUE;
        int longest = timeoutMillis > 0 ? timeoutMillis : unlimited;
        return ConnectDecision.decide(home.placement(), home.locality(), options, kernel, to, longest, this);
    }

    /** Begins the meeting of a connection that the kernel makes; null if it stays there, which is then decided. */
    private KernelFirst kernelFirst(
            SocketChannel kernel, InetSocketAddress to, ConnectDecision decision, int timeoutMillis)
            throws IOException {
        try {
            KernelMeeting meeting = decision.mayBeElsewhere() ? home.placement().introduce(kernel, to) : null;
            if (meeting != null) {
                return new KernelFirst(meeting, kernel, context, keys, timeoutMillis);
            }
            throughKernel(kernel, to, decision.reason(), decision.detail());
        } catch (KernelFallbackException e) {
            throughKernel(kernel, to, e.reason(), e.getMessage());
        }
        return null;
    }

    private void throughRings(RingConnection rings) throws IOException {
        rings.linger(options.linger());
        int size = options.sendSize(0);
        if (size > 0) {
            rings.sendSize(size);
        }
        ConnectionRecord record = Statistics.connected(true, rings.path());
        RingTransport transport = new RingTransport(context, locks, rings, record);
        decided(transport, record);
        if (options.takesUrgent()) {
            transport.takeUrgent(true);
        }
    }

    private void throughKernel(SocketChannel kernel, InetSocketAddress to, KernelReason reason, String detail)
            throws IOException {
        ConnectionRecord record = Statistics.connectingByKernel(reason);
        decided(kernelSide.transport(kernel, record), record);
        KernelLog.connects(to, reason, detail);
    }

    /** Continues when the kernel connection is made; returns whether the channel is connected. */
    private boolean goOn(HeldInterrupt interrupt) throws IOException {
        KernelFirst made = first;
        if (!made.decide(interrupt)) {
            return false;
        }
        try {
            // It would end the wait for the link.
            interrupt.take();
            throughRings(made.connect(options));
            options.carriesNothing();
        } catch (KernelFallbackException e) {
            made.requireUsable();
            throughKernel(options.kernel(), state.remote(), e.reason(), e.getMessage());
        }
        first = null;
        context.leaveIfInterrupted();
        return finish();
    }

    /** Gives up a connect that waits for a decision, because the channel is being closed. Any thread. */
    void abandon() {
        KernelFirst made = first;
        if (made != null) {
            made.abandon();
        }
    }

    /** Whether the kernel's connection stands, and it is not decided which way its data go. Any thread. */
    boolean awaitsDecision() {
        KernelFirst made = first;
        return made != null && made.awaitsDecision();
    }

    /** The operations that events make ready. Any thread. */
    int readyOps(int kernelEvents, int ringEvents) {
        KernelFirst made = first;
        if (made == null || (kernelEvents & (Poll.ERR | Poll.HUP)) != 0) {
            return state.readyOps(kernelEvents, ringEvents);
        }
        return kernelEvents != 0 && made.isReady(locks, closing) ? SelectionKey.OP_CONNECT : 0;
    }

    private void decided(Transport to, ConnectionRecord record) throws IOException {
        state.decided(to, record);
        keys.transportChanged();
    }

    /** Finishes the connect that {@link #connect} began; whether the channel is connected. */
    boolean finishConnect() throws IOException {
        locks.lockBoth();
        boolean failed = false;
        try (HeldInterrupt interrupt = new HeldInterrupt(!home.endsByInterrupt())) {
            state.requireOpen();
            if (state.isConnected()) {
                return true;
            }
            KernelFirst made = first;
            if (state.isPending() && made != null) {
                return made.finishConnect() && goOn(interrupt);
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
