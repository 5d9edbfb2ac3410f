// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import sun.nio.ch.SelChImpl;

/**
 * A TCP channel that goes through rings where it can. Its kernel channel holds the port and the options, and is the
 * transport where the connection stays on the kernel. Locks are taken in this order: {@link #locks}, then the monitor of
 * {@link #state}.
 */
final class PdSocketChannel extends SocketChannel implements Selectable {
    private final RingAcceleration home;
    private final OptionStore options;

    /** INET if only IPv4 is wanted, or is all that there is. */
    private final ProtocolFamily family;

    private final SocketState state = new SocketState();
    private final ChannelLocks locks = new ChannelLocks();
    private final ChannelKeys keys = new ChannelKeys();
    private final ChannelReader reader;
    private final ChannelWriter writer;

    /** Guarded by the monitor of {@link #state}. */
    private Socket adaptor;

    /** Whether the channel is closed and no selector has it any more; set once, by any thread. */
    private volatile boolean unused;

    /** An unconnected channel. */
    PdSocketChannel(RingAcceleration home, OptionStore options, ProtocolFamily family) {
        super(home.provider());
        this.home = home;
        this.options = options;
        this.family = family;
        reader = new ChannelReader(this, state, locks.read());
        writer = new ChannelWriter(this, state, options, locks.write());
    }

    /** An accepted connection that a client made through the kernel. */
    static PdSocketChannel accepted(RingAcceleration home, SocketChannel kernel) throws IOException {
        PdSocketChannel channel = new PdSocketChannel(home, OptionStore.of(home.kernel(), kernel), null);
        channel.state.accepted(
                new KernelTransport(kernel),
                Statistics.onKernel(KernelReason.NOT_PIPEDEVICE_PEER),
                (InetSocketAddress) kernel.getLocalAddress(),
                (InetSocketAddress) kernel.getRemoteAddress());
        InetSocketAddress client = channel.state.remote();
        if (client != null) {
            Statistics.onKernelWith(
                    KernelReason.NOT_PIPEDEVICE_PEER,
                    false,
                    client.getAddress(),
                    channel.state.local().getPort());
            KernelLog.accepted(client, channel.state.local(), KernelReason.NOT_PIPEDEVICE_PEER);
        }
        return channel;
    }

    /** An accepted connection on rings. */
    static PdSocketChannel accepted(
            RingAcceleration home, RingConnection rings, Map<SocketOption<?>, Object> serverOptions) {
        PdSocketChannel channel = new PdSocketChannel(home, OptionStore.lazy(home.kernel(), serverOptions), null);
        ConnectionRecord record = Statistics.connected(false);
        RingTransport transport = new RingTransport(channel, rings, record);
        channel.state.accepted(transport, record, transport.localAddress(), transport.remoteAddress());
        return channel;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        Objects.requireNonNull(target);
        return reader.read(target);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        return reader.read(targets, offset, length);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        Objects.requireNonNull(source);
        return writer.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        return writer.write(sources, offset, length);
    }

    /** For the adaptor, which reads in its own way. */
    ChannelReader reader() {
        return reader;
    }

    /** For the adaptor, which writes in its own way. */
    ChannelWriter writer() {
        return writer;
    }

    /** False if the calling thread must not wait, neither for its turn nor in it. */
    boolean takesTurn(TurnLock turn) {
        if (!mayBlockInKernel() && turn.tryLock()) {
            return true;
        }
        if (StreamCall.isNeeded(this)) {
            return false;
        }
        turn.lock();
        return true;
    }

    /** Makes a call on another thread, {@code begun} with the turn that the calling one has. */
    int aside(TurnLock turn, boolean begun, StreamCall.Call call) throws IOException {
        return StreamCall.run(this, turn, begun, call, () -> leave(turn));
    }

    /** Whether the transport does not say itself when it is about to wait. */
    boolean mayBlockInKernel() {
        return !(state.transport() instanceof RingTransport);
    }

    /** A thread that is interrupted already does not get into a call that may block, whatever it would find. */
    void leaveIfInterrupted() throws IOException {
        if (isBlocking()) {
            enter();
            exit(true);
        }
    }

    /** The adaptor's calls are for that mode only. */
    void requireBlocking() {
        if (!isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }

    /** A wait begins that close and interrupt end. */
    void enter() {
        begin();
    }

    /** It is over; throws what close or interrupt left. */
    void exit(boolean completed) throws AsynchronousCloseException {
        end(completed);
    }

    /** Gives a lock back, and finishes a close that came meanwhile, or that an interrupt made of the kernel channel. */
    void leave(TurnLock lock) {
        lock.unlock();
        left();
    }

    private void left() {
        locks.endIfWanted();
        Transport through = state.transport();
        if (!isOpen()) {
            closeRings();
        } else if (through != null && !through.isOpen()) {
            closeQuietly();
        }
    }

    private void closeQuietly() {
        try {
            close();
        } catch (IOException e) {
            // What is thrown already says more.
            return;
        }
    }

    @Override
    public boolean connect(SocketAddress address) throws IOException {
        return connect(address, 0);
    }

    /** For the adaptor: gives up after so many milliseconds, if that is not 0. */
    boolean connect(SocketAddress address, int timeoutMillis) throws IOException {
        InetSocketAddress to = Addresses.checkRemote(address, family);
        locks.lockBoth();
        boolean failed = true;
        try {
            state.beginConnect(to);
            leaveIfInterrupted();
            boolean done = connectTo(to, timeoutMillis);
            failed = false;
            return done;
        } catch (AlreadyConnectedException | ConnectionPendingException e) {
            failed = false;
            throw e;
        } finally {
            locks.unlockBoth();
            left();
            if (failed) {
                closeQuietly();
            }
        }
    }

    private boolean connectTo(InetSocketAddress to, int timeoutMillis) throws IOException {
        SocketChannel kernel = options.kernel();
        long start = System.nanoTime();
        int patience = isBlocking() ? RingNetwork.PATIENT : Integer.MAX_VALUE;
        int hurry = timeoutMillis > 0 ? timeoutMillis : patience;
        ConnectDecision decision = ConnectDecision.decide(home.network(), home.locality(), options, kernel, to, hurry);
        if (decision.rings() != null) {
            decision.rings().linger(options.linger());
            // Not the ring as an IntConsumer: a JVM links that at its first connect.
            int size = options.sendSize(0);
            if (size > 0) {
                decision.rings().sendSize(size);
            }
            ConnectionRecord record = Statistics.connected(true);
            decided(new RingTransport(this, decision.rings(), record), record);
            leaveIfInterrupted();
            return isBlocking() && finish();
        }
        decided(new KernelTransport(kernel), Statistics.connectingByKernel(decision.reason()));
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

    private boolean finish() throws IOException {
        state.finish(state.transport().localAddress());
        if (!state.record().accelerated()) {
            Statistics.established(state.record());
            InetSocketAddress server = state.remote();
            Statistics.onKernelWith(state.record().reason(), true, server.getAddress(), server.getPort());
        }
        return true;
    }

    @Override
    public boolean finishConnect() throws IOException {
        locks.lockBoth();
        boolean failed = false;
        try {
            state.requireOpen();
            if (state.isConnected()) {
                return true;
            }
            if (!state.isPending()) {
                throw new NoConnectionPendingException();
            }
            if (ring() == null) {
                return options.kernel().finishConnect() && finish();
            }
            leaveIfInterrupted();
            return finish();
        } catch (IOException e) {
            failed = true;
            throw e;
        } finally {
            locks.unlockBoth();
            left();
            if (failed) {
                closeQuietly();
            }
        }
    }

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
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
            return this;
        } finally {
            locks.unlockBoth();
            left();
        }
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        if (state.shutInput()) {
            state.transport().shutdownInput();
        }
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        if (state.shutOutput()) {
            state.transport().shutdownOutput();
            endOutput();
        }
        return this;
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        locks.lockBoth();
        try {
            state.requireOpen();
            SocketChannel kernel = options.kernel();
            if (kernel != null) {
                kernel.configureBlocking(block);
            }
        } finally {
            locks.unlockBoth();
            left();
        }
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        boolean inUse = locks.isInUse();
        boolean heldUp = locks.hasPlatformThread();
        boolean wasConnected = state.close();
        Transport through = state.transport();
        if (through instanceof RingTransport rings) {
            rings.endWaits();
        } else if (through != null) {
            state.record().closed(state.local(), state.remote());
        }
        boolean stays = !keys.closeWhenUnused(this::closeTransport);
        if (stays && wasConnected) {
            if (through instanceof KernelTransport kernel && isBlocking() && inUse) {
                kernel.endWaits();
            } else if (options.linger() != 0 && (!isBlocking() || heldUp)) {
                // The peer is told now, although the connection has to stay. In blocking mode the JDK tells it when the
                // selector has let go of the cancelled key, unless it has to get a thread out.
                endNow(through);
            }
        }
    }

    private void endNow(Transport through) {
        if (through instanceof KernelTransport kernel) {
            kernel.endOutput();
        } else {
            endOutput();
        }
    }

    private void closeTransport() throws IOException {
        unused = true;
        closeRings();
        options.close();
    }

    /** Ends the stream of rings as soon as nobody is in the middle of a write. */
    private void endOutput() {
        if (state.transport() instanceof RingTransport rings) {
            locks.endWhenNobodyWrites(rings::endOutput);
            // Who closed meanwhile has left it to this thread, as to one that writes.
            closeRings();
        }
    }

    private void closeRings() {
        if (unused && state.transport() instanceof RingTransport rings) {
            locks.closeWhenIdle(() -> {
                rings.close();
                state.record().closed(state.local(), state.remote());
            });
        }
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        requireKnown(name);
        state.requireOpen();
        options.set(name, value);
        if (state.transport() instanceof RingTransport rings) {
            if (name.equals(StandardSocketOptions.SO_LINGER)) {
                rings.linger(options.linger());
            } else if (name.equals(StandardSocketOptions.SO_SNDBUF)) {
                boundSendRing(rings::sendSize);
            }
        }
        return this;
    }

    /** What the program has set bounds the ring; what it has not, does not. */
    private void boundSendRing(IntConsumer ring) {
        int size = options.sendSize(0);
        if (size > 0) {
            ring.accept(size);
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        requireKnown(name);
        state.requireOpen();
        return options.get(name, ring() != null);
    }

    private void requireKnown(SocketOption<?> name) {
        Objects.requireNonNull(name);
        if (!options.supported().contains(name)) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return options.supported();
    }

    @Override
    public Socket socket() {
        synchronized (state) {
            if (adaptor == null) {
                adaptor = PdSocketAdaptor.of(this, state);
            }
            return adaptor;
        }
    }

    @Override
    public boolean isConnected() {
        return state.isConnected();
    }

    @Override
    public boolean isConnectionPending() {
        return state.isPending();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        state.requireOpen();
        return state.local();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        state.requireOpen();
        return state.remote();
    }

    @Override
    public SelChImpl kernel() {
        return ring() == null ? (SelChImpl) options.kernel() : null;
    }

    @Override
    public PdSource ring() {
        return state.transport() instanceof RingTransport rings ? rings.source() : null;
    }

    @Override
    public int readyOps(int interest, int kernelEvents, int ringEvents) {
        return state.readyOps(kernelEvents, ringEvents) & interest;
    }

    @Override
    public void registered(PdSelectionKey key) {
        keys.add(key);
    }

    @Override
    public void deregistered(PdSelectionKey key) {
        keys.remove(key);
    }

    @Override
    public String toString() {
        return "java.nio.channels.SocketChannel[" + state + ']';
    }
}
