// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Poll;
import io.pipedevice.nio.placement.HeldConnections;
import io.pipedevice.nio.placement.NoRings;
import io.pipedevice.nio.placement.RingListener;
import io.pipedevice.nio.select.PdSelectionKey;
import io.pipedevice.nio.select.Selectable;
import io.pipedevice.nio.transport.BlockingContext;
import io.pipedevice.nio.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import sun.nio.ch.SelChImpl;

/**
 * A TCP server that accepts from the kernel and, where clients find its rings, from rings, in turn. Its kernel channel
 * holds the port and the options, and never blocks: a waiting thread waits for both sources.
 *
 * <p>Thread safe. No thread holds {@link #acceptLock} and {@link #stateLock} together.
 */
final class PdServerSocketChannel extends ServerSocketChannel implements Selectable {
    private static final int DEFAULT_BACKLOG = 50;

    private final class Context extends ChannelContext {
        Context() {
            super(home, PdServerSocketChannel.this);
        }

        @Override
        void begin() {
            PdServerSocketChannel.this.begin();
        }

        @Override
        void end(boolean completed) throws AsynchronousCloseException {
            PdServerSocketChannel.this.end(completed);
        }
    }

    private final ChannelHome home;
    private final BlockingContext context;
    private final ServerSocketChannel kernel;
    private final ServerOptions options;
    private final ChannelKeys keys = new ChannelKeys();

    /** Held through a whole accept. */
    private final ReentrantLock acceptLock = new ReentrantLock();

    /** Guarded by {@link #acceptLock}, except where noted. */
    private final AcceptTurns turns;

    private final ServerCloseSequence closing;

    /** Held during bind, and while close takes the listener. */
    private final Object stateLock = new Object();

    /** Null until bound; changed under {@link #stateLock}. */
    private volatile RingListener listener;

    private volatile InetSocketAddress local;
    private ServerSocket adaptor;

    /**
     * Opens a channel that is not bound.
     *
     * @param family null if the program named none
     */
    static PdServerSocketChannel open(ChannelHome home, ProtocolFamily family) throws IOException {
        SelectorProvider provider = home.kernel();
        ServerSocketChannel kernel =
                family == null ? provider.openServerSocketChannel() : provider.openServerSocketChannel(family);
        try {
            return new PdServerSocketChannel(home, kernel);
        } catch (IOException e) {
            kernel.close();
            throw e;
        }
    }

    private PdServerSocketChannel(ChannelHome home, ServerSocketChannel kernel) throws IOException {
        super(home.provider());
        this.home = home;
        context = new Context();
        this.kernel = kernel;
        options = new ServerOptions(kernel);
        turns = new AcceptTurns(home, context, kernel, options);
        closing = new ServerCloseSequence(this, kernel, acceptLock, turns, keys);
        kernel.configureBlocking(false);
    }

    @Override
    public ServerSocketChannel bind(SocketAddress address, int backlog) throws IOException {
        RingListener rings;
        synchronized (stateLock) {
            requireOpen();
            boolean shared = options.isShared();
            if (!shared) {
                home.placement().warmUp();
            }
            if (kernel.getLocalAddress() != null) {
                throw new AlreadyBoundException();
            }
            int waiting = backlog < 1 ? DEFAULT_BACKLOG : backlog;
            rings = shared
                    ? new NoRings()
                    : home.placement()
                            .listen(kernel, chosen(address), waiting, options.receiveSize(), this::ringsChanged);
            bind(address, backlog, rings);
            listener = rings;
            if (rings.held() != null) {
                rings.held().whenCalled(this::takeForClient);
            }
        }
        ringsChanged();
        if (!isOpen()) {
            rings.close();
        }
        return this;
    }

    /**
     * The address that the kernel is going to listen at; null if it chooses the port, or the program's is not valid.
     */
    private static InetSocketAddress chosen(SocketAddress address) {
        return address instanceof InetSocketAddress to && !to.isUnresolved() && to.getPort() != 0 ? to : null;
    }

    private void bind(SocketAddress address, int backlog, RingListener rings) throws IOException {
        boolean done = false;
        try {
            kernel.bind(address, backlog);
            local = (InetSocketAddress) kernel.getLocalAddress();
            rings.publish(local);
            done = true;
        } finally {
            if (!done) {
                rings.close();
            }
        }
    }

    private void ringsChanged() {
        keys.transportChanged();
        turns.wake();
    }

    @Override
    public SocketChannel accept() throws IOException {
        return accept(Transport.FOREVER, false);
    }

    /**
     * Accepts in blocking mode, for the adaptor.
     *
     * @throws SocketTimeoutException if no connection arrives within {@code timeoutNs} nanoseconds
     */
    SocketChannel accept(long timeoutNs) throws IOException {
        return accept(timeoutNs, true);
    }

    private SocketChannel accept(long timeoutNs, boolean blockingOnly) throws IOException {
        long left = timeoutNs;
        if (context.isInterruptible()) {
            acceptLock.lock();
        } else {
            left = TimedLock.take(acceptLock::tryLock, timeoutNs, "Accept");
        }
        try {
            requireOpen();
            if (listener == null) {
                throw new NotYetBoundException();
            }
            boolean waits = isBlocking();
            if (blockingOnly && !waits) {
                throw new IllegalBlockingModeException();
            }
            return waits ? turns.waitAndAccept(listener, left) : turns.accept(listener);
        } finally {
            acceptLock.unlock();
            closing.resume();
        }
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        acceptLock.lock();
        try {
            requireOpen();
        } finally {
            acceptLock.unlock();
        }
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        RingListener rings;
        synchronized (stateLock) {
            rings = listener;
        }
        closing.begin(rings);
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        if (options.supported().contains(name)) {
            requireOpen();
        }
        options.set(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        if (options.supported().contains(name)) {
            requireOpen();
        }
        return options.get(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return options.supported();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return local;
    }

    /** The address that it is or was bound to; null if it never was. */
    InetSocketAddress boundAddress() {
        return local;
    }

    @Override
    public ServerSocket socket() {
        synchronized (stateLock) {
            if (adaptor == null) {
                adaptor = PdServerSocketAdaptor.of(this);
            }
            return adaptor;
        }
    }

    @Override
    public SelChImpl kernel() {
        return (SelChImpl) kernel;
    }

    @Override
    public PdSource ring() {
        RingListener rings = listener;
        return rings == null ? null : rings.source();
    }

    @Override
    public PdSource secondRing() {
        RingListener rings = listener;
        HeldConnections held = rings == null ? null : rings.held();
        return held == null ? null : held.source();
    }

    @Override
    public int readyOps(int interest, int kernelEvents, int ringEvents) {
        boolean ready = (ringEvents & PdEpoll.IN) != 0
                || ((kernelEvents & (Poll.IN | Poll.ERR | Poll.HUP)) != 0 && isKernelReady());
        return ready ? interest & SelectionKey.OP_ACCEPT : 0;
    }

    /**
     * Whether to report the kernel's socket. Where its connections may have to be held, takes them, which makes the
     * second socket ready. Does not wait.
     */
    private boolean isKernelReady() {
        RingListener rings = listener;
        HeldConnections held = rings == null ? null : rings.held();
        if (held == null || !acceptLock.tryLock()) {
            return true;
        }
        try {
            turns.takeFromKernel(held);
            // The select goes on, and finds the second socket ready if a connection may be accepted.
            keys.transportChanged();
            return false;
        } catch (IOException e) {
            // The program's accept fails, too.
            return true;
        } finally {
            acceptLock.unlock();
            resumeClose();
        }
    }

    /** A client waits to be accepted. */
    private void takeForClient() {
        if (isOpen() && !listener.held().isFull()) {
            isKernelReady();
        }
    }

    private void resumeClose() {
        try {
            closing.resume();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        RingListener rings = listener;
        String state = !isOpen() ? "closed" : rings == null ? "unbound" : local + way(rings);
        return "java.nio.channels.ServerSocketChannel[" + state + ']';
    }

    private static String way(RingListener rings) {
        return rings.source() == null ? " kernel (" + rings.whyKernel().text() + ")" : " rings";
    }
}
