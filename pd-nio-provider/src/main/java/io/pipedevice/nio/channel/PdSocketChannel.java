// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.lib.PdSource;
import io.pipedevice.nio.placement.RingConnection;
import io.pipedevice.nio.select.PdSelectionKey;
import io.pipedevice.nio.select.Selectable;
import io.pipedevice.nio.stat.ConnectionRecord;
import io.pipedevice.nio.stat.KernelLog;
import io.pipedevice.nio.stat.KernelReason;
import io.pipedevice.nio.stat.Statistics;
import io.pipedevice.nio.transport.BlockingContext;
import io.pipedevice.nio.transport.RingTransport;
import io.pipedevice.nio.transport.Transport;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import sun.nio.ch.SelChImpl;

/**
 * A TCP channel that goes through rings where it can. Its kernel channel holds the port and the options, and is the
 * transport if the connection stays on the kernel.
 *
 * <p>Thread safe. Locks, in this order: {@link #locks}, the monitor of {@link #state}.
 */
final class PdSocketChannel extends SocketChannel implements Selectable, InvocationHandler {
    private final class Context extends ChannelContext {
        Context() {
            super(home, PdSocketChannel.this);
        }

        @Override
        void begin() {
            PdSocketChannel.this.begin();
        }

        @Override
        void end(boolean completed) throws AsynchronousCloseException {
            PdSocketChannel.this.end(completed);
        }
    }

    private final OptionStore options;

    private final ChannelHome home;
    private final BlockingContext context;
    private final KernelSide kernelSide;

    /** INET if the program asked for IPv4 alone, or there is no IPv6; null for an accepted connection. */
    private final ProtocolFamily family;

    private final SocketState state = new SocketState();
    private final ChannelLocks locks = new ChannelLocks();
    private final ChannelKeys keys = new ChannelKeys();
    private final ConnectSequence connecting;
    private final CloseSequence closing;
    private final ChannelReader reader;
    private final ChannelWriter writer;

    /** Guarded by the monitor of {@link #state}. */
    private Socket adaptor;

    /**
     * Opens a channel that is not connected.
     *
     * @param family null if the program named none
     */
    static PdSocketChannel open(ChannelHome home, ProtocolFamily family) throws IOException {
        ProtocolFamily reachable = family == null ? WidestFamily.of(home.kernel()) : family;
        return new PdSocketChannel(home, OptionStore.open(home.kernel(), family), reachable);
    }

    /** Creates a channel that is not connected. */
    private PdSocketChannel(ChannelHome home, OptionStore options, ProtocolFamily family) {
        super(home.provider());
        this.home = home;
        this.options = options;
        this.family = family;
        context = new Context();
        kernelSide = new KernelSide(context);
        closing = new CloseSequence(this, state, locks, keys, options, kernelSide);
        connecting = new ConnectSequence(home, kernelSide, state, locks, keys, options, closing);
        reader = new ChannelReader(context, state, new ChannelTurn(this, locks.read(), closing));
        writer = new ChannelWriter(context, state, new ChannelTurn(this, locks.write(), closing));
    }

    /**
     * The channel of an accepted connection that a client made through the kernel.
     *
     * @param reason why it is not on rings
     */
    static PdSocketChannel accepted(ChannelHome home, SocketChannel kernel, KernelReason reason) throws IOException {
        PdSocketChannel channel = new PdSocketChannel(home, OptionStore.of(home.kernel(), kernel), null);
        try {
            channel.kernelSide.prepare(kernel);
            ConnectionRecord record = Statistics.onKernel(reason);
            channel.state.accepted(
                    channel.kernelSide.transport(kernel, record),
                    record,
                    (InetSocketAddress) kernel.getLocalAddress(),
                    (InetSocketAddress) kernel.getRemoteAddress());
        } catch (IOException e) {
            kernel.close();
            throw e;
        }
        InetSocketAddress client = channel.state.remote();
        if (client != null) {
            InetSocketAddress local = channel.state.local();
            Statistics.onKernelWith(reason, false, client.getAddress(), local.getPort());
            KernelLog.accepted(client, local, reason);
        }
        return channel;
    }

    /** The channel of an accepted connection on rings. */
    static PdSocketChannel accepted(
            ChannelHome home, RingConnection rings, Map<SocketOption<?>, Object> serverOptions) {
        PdSocketChannel channel = new PdSocketChannel(home, OptionStore.lazy(home.kernel(), serverOptions), null);
        ConnectionRecord record = Statistics.connected(false, rings.path());
        RingTransport transport = new RingTransport(channel.context, channel.locks, rings, record);
        channel.state.accepted(transport, record, transport.localAddress(), transport.remoteAddress());
        return channel;
    }

    /** The channel of an accepted connection that the kernel made, and that has changed to rings. */
    static PdSocketChannel introduced(ChannelHome home, RingConnection rings, SocketChannel kernel) throws IOException {
        PdSocketChannel channel = new PdSocketChannel(home, OptionStore.of(home.kernel(), kernel), null);
        channel.options.carriesNothing();
        ConnectionRecord record = Statistics.connected(false, rings.path());
        channel.state.accepted(
                new RingTransport(channel.context, channel.locks, rings, record),
                record,
                (InetSocketAddress) kernel.getLocalAddress(),
                (InetSocketAddress) kernel.getRemoteAddress());
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

    /**
     * Transfers bytes of a file, for {@link FileChannel#transferTo}, where the agent has changed it.
     *
     * @param file the file's channel
     * @param none null
     * @param range the position in the file, and the number of bytes
     * @return the number of bytes that were transferred; null if the caller is to write them
     */
    @Override
    public Object invoke(Object file, Method none, Object[] range) throws IOException {
        return writer.transfer((FileChannel) file, (Long) range[0], (Long) range[1]);
    }

    /** The reads of this channel; for the adaptor. */
    ChannelReader reader() {
        return reader;
    }

    /** The writes of this channel; for the adaptor. */
    ChannelWriter writer() {
        return writer;
    }

    @Override
    public boolean connect(SocketAddress address) throws IOException {
        return connect(address, 0);
    }

    /**
     * Connects, for the adaptor.
     *
     * @param timeoutMillis the longest time, in milliseconds; 0 for no limit
     */
    boolean connect(SocketAddress address, int timeoutMillis) throws IOException {
        return connecting.connect(AddressChecks.checkRemote(address, family), timeoutMillis);
    }

    @Override
    public boolean finishConnect() throws IOException {
        return connecting.finishConnect();
    }

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
        connecting.bind(local);
        return this;
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
            closing.shutdownOutput();
        }
        return this;
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        locks.lockBoth();
        try {
            state.requireOpen();
            SocketChannel carrier = options.carrier();
            if (carrier != null) {
                carrier.configureBlocking(block);
            }
        } finally {
            locks.unlockBoth();
            closing.resume();
        }
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        connecting.abandon();
        closing.begin();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        requireKnown(name);
        state.requireOpen();
        options.set(name, value);
        Transport through = state.transport();
        if (through != null) {
            changed(name, through);
        }
        return this;
    }

    private void changed(SocketOption<?> name, Transport through) {
        if (name.equals(StandardSocketOptions.SO_LINGER)) {
            through.linger(options.linger());
        } else if (name.equals(StandardSocketOptions.SO_SNDBUF)) {
            int size = options.sendSize(0);
            if (size > 0) {
                through.sendSize(size);
            }
        } else if (OptionStore.isOobInline(name)) {
            through.takeUrgent(options.takesUrgent());
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
        return ring() == null && !connecting.awaitsDecision() ? (SelChImpl) options.carrier() : null;
    }

    @Override
    public PdSource ring() {
        Transport through = state.transport();
        return through == null ? null : through.source();
    }

    @Override
    public int readyOps(int interest, int kernelEvents, int ringEvents) {
        return connecting.readyOps(kernelEvents, ringEvents) & interest;
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
