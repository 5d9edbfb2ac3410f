// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdSocket;
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
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import sun.nio.ch.SelChImpl;

/**
 * A TCP channel that goes through rings where it can. Its kernel channel holds the port and the options, and is the
 * transport where the connection stays on the kernel.
 *
 * <p>Locks, in this order: {@link #readLock} and {@link #writeLock}, each held through a whole read or write, both by
 * what changes how the channel works; {@link #stateLock}, under which nothing blocks.
 */
final class PdSocketChannel extends SocketChannel implements Selectable {
    private enum State {
        UNCONNECTED,
        PENDING,
        CONNECTED,
        CLOSED
    }

    private final RingAcceleration home;
    private final OptionStore options;

    /** INET if only IPv4 is wanted. */
    private final ProtocolFamily family;

    private final ChannelKeys keys = new ChannelKeys();
    private final ReentrantLock readLock = new ReentrantLock();
    private final ReentrantLock writeLock = new ReentrantLock();
    private final Object stateLock = new Object();

    /** These change under {@link #stateLock}. */
    private volatile State state = State.UNCONNECTED;

    /** Not null once it is decided, which is before the connection is finished. */
    private volatile Transport transport;

    private volatile InetSocketAddress remote;

    /** As it was when it was last asked for; what an adaptor says after close. */
    private volatile InetSocketAddress lastLocal;

    private volatile ConnectionRecord record;
    private volatile boolean inputShut;
    private volatile boolean outputShut;
    private boolean ringsClosed;
    private Socket adaptor;

    /** An unconnected channel. */
    PdSocketChannel(RingAcceleration home, OptionStore options, ProtocolFamily family) {
        super(home.provider());
        this.home = home;
        this.options = options;
        this.family = family;
    }

    /** An accepted connection that a client made through the kernel. */
    static PdSocketChannel accepted(RingAcceleration home, SocketChannel kernel) throws IOException {
        PdSocketChannel channel = new PdSocketChannel(home, OptionStore.of(home.kernel(), kernel), null);
        channel.remote = (InetSocketAddress) kernel.getRemoteAddress();
        channel.connected(new KernelTransport(kernel), Statistics.onKernel(KernelReason.NOT_PIPEDEVICE_PEER));
        return channel;
    }

    /** An accepted connection on rings. */
    static PdSocketChannel accepted(RingAcceleration home, RingConnection rings) {
        PdSocketChannel channel = new PdSocketChannel(home, OptionStore.lazy(home.kernel()), null);
        channel.remote = rings.socket().peerAddress();
        channel.connected(new RingTransport(channel, rings), Statistics.connected(false));
        return channel;
    }

    private void connected(Transport to, ConnectionRecord counts) {
        transport = to;
        record = counts;
        state = State.CONNECTED;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        Objects.requireNonNull(target);
        readLock.lock();
        try {
            Transport from = connected();
            requireWritable(target);
            return (int) received(inputShut ? -1 : from.read(target));
        } finally {
            leave(readLock);
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        readLock.lock();
        try {
            Transport from = connected();
            for (int i = offset; i < offset + length; i++) {
                requireWritable(targets[i]);
            }
            return received(inputShut ? -1 : from.read(targets, offset, length));
        } finally {
            leave(readLock);
        }
    }

    /** For the adaptor: reads into an array's buffer, in blocking mode. */
    int read(ByteBuffer target, long timeoutNs) throws IOException {
        readLock.lock();
        try {
            Transport from = connected();
            requireBlocking();
            return (int) received(inputShut ? -1 : from.read(target, timeoutNs));
        } finally {
            leave(readLock);
        }
    }

    private static void requireWritable(ByteBuffer target) {
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    private long received(long count) {
        if (count > 0) {
            record.received(count);
        }
        return count;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        Objects.requireNonNull(source);
        writeLock.lock();
        try {
            return (int) sent(writable().write(source));
        } catch (IOException e) {
            throw writeFailure(e);
        } finally {
            leave(writeLock);
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        writeLock.lock();
        try {
            return sent(writable().write(sources, offset, length));
        } catch (IOException e) {
            throw writeFailure(e);
        } finally {
            leave(writeLock);
        }
    }

    /** For the adaptor: writes everything, in blocking mode. */
    void writeFully(ByteBuffer source) throws IOException {
        writeLock.lock();
        try {
            Transport to = writable();
            requireBlocking();
            while (source.hasRemaining()) {
                sent(to.write(source));
            }
        } catch (IOException e) {
            throw writeFailure(e);
        } finally {
            leave(writeLock);
        }
    }

    private long sent(long count) {
        record.sent(count);
        return count;
    }

    private Transport writable() throws IOException {
        Transport to = connected();
        if (outputShut) {
            throw new AsynchronousCloseException();
        }
        return to;
    }

    /** A write that finds its output shut by another thread fails as one that finds its channel closed. */
    private IOException writeFailure(IOException e) {
        return outputShut && !(e instanceof ClosedChannelException) ? new AsynchronousCloseException() : e;
    }

    private Transport connected() throws ClosedChannelException {
        if (state == State.CONNECTED && isOpen()) {
            return transport;
        }
        requireOpen();
        throw new NotYetConnectedException();
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private void requireBlocking() {
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
    private void leave(ReentrantLock lock) {
        lock.unlock();
        Transport through = transport;
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
        readLock.lock();
        writeLock.lock();
        boolean failed = true;
        try {
            beginConnect(to);
            boolean done = connectTo(to, timeoutMillis);
            failed = false;
            return done;
        } catch (AlreadyConnectedException | ConnectionPendingException e) {
            failed = false;
            throw e;
        } finally {
            leaveBoth();
            if (failed) {
                closeQuietly();
            }
        }
    }

    private void leaveBoth() {
        writeLock.unlock();
        leave(readLock);
    }

    private void beginConnect(InetSocketAddress to) throws IOException {
        synchronized (stateLock) {
            requireOpen();
            if (state == State.CONNECTED) {
                throw new AlreadyConnectedException();
            }
            if (state == State.PENDING) {
                throw new ConnectionPendingException();
            }
            state = State.PENDING;
            remote = to;
        }
        if (isBlocking()) {
            // A thread that is interrupted already does not get as far as connecting.
            enter();
            exit(true);
        }
    }

    private boolean connectTo(InetSocketAddress to, int timeoutMillis) throws IOException {
        SocketChannel kernel = options.kernel();
        ConnectDecision decision = ConnectDecision.decide(home.network(), home.locality(), options, kernel, to);
        if (decision.rings() != null) {
            decision.rings().linger(options.linger());
            decided(new RingTransport(this, decision.rings()), Statistics.connected(true));
            return isBlocking() && finish();
        }
        decided(new KernelTransport(kernel), Statistics.onKernel(decision.reason()));
        if (timeoutMillis > 0) {
            kernel.socket().connect(to, timeoutMillis);
            return finish();
        }
        return kernel.connect(to) && finish();
    }

    private void decided(Transport to, ConnectionRecord counts) throws IOException {
        synchronized (stateLock) {
            transport = to;
            record = counts;
        }
        keys.transportChanged();
        if (!isOpen()) {
            throw new AsynchronousCloseException();
        }
    }

    private boolean finish() throws IOException {
        synchronized (stateLock) {
            if (state != State.PENDING) {
                throw new AsynchronousCloseException();
            }
            state = State.CONNECTED;
        }
        remember();
        return true;
    }

    @Override
    public boolean finishConnect() throws IOException {
        readLock.lock();
        writeLock.lock();
        boolean failed = false;
        try {
            requireOpen();
            if (state == State.CONNECTED) {
                return true;
            }
            if (state != State.PENDING) {
                throw new NoConnectionPendingException();
            }
            return (transport instanceof RingTransport || options.kernel().finishConnect()) && finish();
        } catch (IOException e) {
            failed = true;
            throw e;
        } finally {
            leaveBoth();
            if (failed) {
                closeQuietly();
            }
        }
    }

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
        readLock.lock();
        writeLock.lock();
        try {
            synchronized (stateLock) {
                requireOpen();
                if (state == State.PENDING) {
                    throw new ConnectionPendingException();
                }
            }
            if (state == State.CONNECTED) {
                throw new AlreadyBoundException();
            }
            options.kernel().bind(local);
            return this;
        } finally {
            leaveBoth();
        }
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        synchronized (stateLock) {
            Transport from = connected();
            if (inputShut) {
                return this;
            }
            inputShut = true;
            // Both kinds only raise a flag, or make one system call.
            from.shutdownInput();
            return this;
        }
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        Transport to;
        synchronized (stateLock) {
            to = connected();
            if (outputShut) {
                return this;
            }
            outputShut = true;
        }
        try {
            to.shutdownOutput();
        } catch (IllegalStateException e) {
            throw new AsynchronousCloseException();
        }
        return this;
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        readLock.lock();
        writeLock.lock();
        try {
            requireOpen();
            SocketChannel kernel = options.kernel();
            if (kernel != null) {
                kernel.configureBlocking(block);
            }
        } finally {
            leaveBoth();
        }
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        State before;
        synchronized (stateLock) {
            before = state;
            state = State.CLOSED;
        }
        remember();
        if (transport instanceof RingTransport rings) {
            rings.socket().endWaits();
            closeRings();
        } else if (record != null) {
            record.closed(lastLocal, remote);
        }
        SocketChannel kernel = options.kernel();
        if (!keys.closeWhenUnused(options::close)
                && before == State.CONNECTED
                && transport instanceof KernelTransport
                && options.get(StandardSocketOptions.SO_LINGER) != 0) {
            // The peer is told now, although the descriptor has to stay.
            kernel.shutdownOutput();
        }
    }

    /**
     * Closes the rings once no thread reads or writes, so that none is stopped in the middle of a copy. If one does, it
     * calls this when it leaves. Never blocks.
     */
    private void closeRings() {
        while (transport instanceof RingTransport rings && !ringsClosed() && readLock.tryLock()) {
            try {
                if (writeLock.tryLock()) {
                    try {
                        closeOnce(rings);
                    } finally {
                        writeLock.unlock();
                    }
                }
            } finally {
                readLock.unlock();
            }
            if (writeLock.isLocked()) {
                // Its holder comes here after us. Whoever left while we held the read lock could not, so look again.
                return;
            }
        }
    }

    private boolean ringsClosed() {
        synchronized (stateLock) {
            return ringsClosed;
        }
    }

    private void closeOnce(RingTransport rings) {
        synchronized (stateLock) {
            if (ringsClosed) {
                return;
            }
            ringsClosed = true;
        }
        rings.close();
        record.closed(rings.localAddress(), remote);
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        requireKnown(name);
        requireOpen();
        options.set(name, value);
        if (name.equals(StandardSocketOptions.SO_LINGER) && transport instanceof RingTransport rings) {
            rings.linger(options.linger());
        }
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        requireKnown(name);
        requireOpen();
        return options.get(name);
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
        synchronized (stateLock) {
            if (adaptor == null) {
                adaptor = PdSocketAdaptor.of(this);
            }
            return adaptor;
        }
    }

    @Override
    public boolean isConnected() {
        return state == State.CONNECTED;
    }

    @Override
    public boolean isConnectionPending() {
        return state == State.PENDING;
    }

    boolean isInputShut() {
        return inputShut;
    }

    boolean isOutputShut() {
        return outputShut;
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return localAddress();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        return state == State.CONNECTED ? remote : null;
    }

    private void remember() {
        try {
            lastLocal = localAddress();
        } catch (IOException e) {
            // An interrupt closed the kernel channel: what was known before stays.
            return;
        }
    }

    /** The address of this end, also after close; null if there never was one. */
    InetSocketAddress knownLocal() {
        if (isOpen()) {
            remember();
        }
        return lastLocal;
    }

    /** The address of the other end, also after close; null if there never was one. */
    InetSocketAddress knownRemote() {
        return state == State.CONNECTED || state == State.CLOSED ? remote : null;
    }

    /** For the adaptor. */
    int available() throws IOException {
        readLock.lock();
        try {
            Transport from = connected();
            return inputShut ? 0 : from.available();
        } finally {
            leave(readLock);
        }
    }

    /** For the adaptor: rings know no urgent data, and carry it in line, as SO_OOBINLINE would. */
    void sendUrgentData(int data) throws IOException {
        if (connected() instanceof KernelTransport) {
            options.kernel().socket().sendUrgentData(data);
        } else {
            writeFully(ByteBuffer.wrap(new byte[] {(byte) data}));
        }
    }

    private InetSocketAddress localAddress() throws IOException {
        if (transport instanceof RingTransport rings) {
            return rings.localAddress();
        }
        SocketChannel kernel = options.kernel();
        return kernel == null ? null : (InetSocketAddress) kernel.getLocalAddress();
    }

    @Override
    public SelChImpl kernel() {
        return transport instanceof RingTransport ? null : (SelChImpl) options.kernel();
    }

    @Override
    public PdSocket ring() {
        return transport instanceof RingTransport rings ? rings.socket() : null;
    }

    @Override
    public int readyOps(int interest, int kernelEvents, int ringEvents) {
        Transport through = transport;
        State now = state;
        if (now == State.CONNECTED) {
            return through.readyOps(kernelEvents, ringEvents) & interest;
        }
        if (now == State.PENDING) {
            return (kernelEvents | ringEvents) == 0 ? 0 : SelectionKey.OP_CONNECT & interest;
        }
        return 0;
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
        StringBuilder text = new StringBuilder("java.nio.channels.SocketChannel[");
        State now = state;
        if (now == State.CLOSED || !isOpen()) {
            return text.append("closed]").toString();
        }
        switch (now) {
            case UNCONNECTED -> text.append("unconnected");
            case PENDING -> text.append("connection-pending");
            default ->
                text.append("connected").append(inputShut ? " ishut" : "").append(outputShut ? " oshut" : "");
        }
        try {
            InetSocketAddress local = localAddress();
            text.append(local == null ? "" : " local=" + local);
        } catch (IOException e) {
            text.append(" local=closed");
        }
        text.append(now == State.UNCONNECTED ? "" : " remote=" + remote);
        return text.append(record == null ? "" : record.accelerated() ? " rings" : " kernel (" + record.reason() + ")")
                .append(']')
                .toString();
    }
}
