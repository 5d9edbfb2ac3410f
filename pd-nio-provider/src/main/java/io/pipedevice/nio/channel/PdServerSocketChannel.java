// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.nio.placement.HeldConnections;
import io.pipedevice.nio.placement.NoRings;
import io.pipedevice.nio.placement.RingListener;
import io.pipedevice.nio.select.AcceptWait;
import io.pipedevice.nio.select.PdSelectionKey;
import io.pipedevice.nio.select.Selectable;
import io.pipedevice.nio.transport.BlockingContext;
import io.pipedevice.nio.transport.Patience;
import io.pipedevice.nio.transport.Transport;
import io.pipedevice.nio.transport.WaitPrediction;
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
import java.util.concurrent.TimeUnit;
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
    private static final long CLOSE_TIMEOUT_MILLIS = 100;

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

    /** Guarded by {@link #acceptLock}. */
    private final AcceptTurns turns;

    /** Guarded by {@link #acceptLock}. */
    private final WaitPrediction arrivals = new WaitPrediction();

    /** Held through a whole accept. */
    private final ReentrantLock acceptLock = new ReentrantLock();

    /** Held during bind, and while close takes the listener. */
    private final Object stateLock = new Object();

    /** Null until bound; changed under {@link #stateLock}. */
    private volatile RingListener listener;

    /**
     * Whether the kernel channel is being closed, or will be when its keys are gone. Guarded by {@link #acceptLock}.
     */
    private boolean closing;

    private volatile InetSocketAddress local;
    private ServerSocket adaptor;

    /** Created for the first wait, under {@link #acceptLock}. */
    private volatile AcceptWait wait;

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
        turns = new AcceptTurns(home, this, kernel, options);
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
        wake();
    }

    private void wake() {
        AcceptWait waiting = wait;
        if (waiting != null) {
            waiting.wake();
        }
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
            if (waits) {
                return waitAndAccept(left);
            }
            return turns.accept(listener);
        } finally {
            acceptLock.unlock();
            if (!isOpen()) {
                closeKernel();
            }
        }
    }

    private SocketChannel waitAndAccept(long timeoutNs) throws IOException {
        SocketChannel accepted = null;
        Patience patience = new Patience(timeoutNs, "Accept");
        long left = timeoutNs;
        context.enter();
        try {
            if (isOpen() && (wait == null || !arrivals.waitsFirst())) {
                accepted = turns.accept(listener);
                arrivals.attempted(accepted != null);
            }
            if (accepted == null && isOpen() && wait == null) {
                // Only for a wait: the last descriptors may be needed for a connection that is there.
                wait = new AcceptWait(((SelChImpl) kernel).getFDVal());
            }
            while (accepted == null && isOpen()) {
                wait.await(listener.source(), secondRing(), left);
                accepted = isOpen() ? turns.accept(listener) : null;
                // Only after an attempt: a connection that is there is accepted, however late this thread runs.
                left = accepted == null ? patience.left() : left;
            }
        } finally {
            endAccept(accepted);
        }
        return accepted;
    }

    /**
     * Ends a wait. If the thread was interrupted, closes the accepted connection, which the program does not get: its
     * client would wait for ever.
     */
    private void endAccept(SocketChannel accepted) throws IOException {
        try {
            context.exit(accepted != null);
        } catch (AsynchronousCloseException e) {
            if (accepted != null) {
                accepted.close();
            }
            throw e;
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
        try {
            if (rings != null) {
                rings.withdraw();
            }
            wake();
            if (awaitAccept()) {
                try {
                    closeKernel();
                } finally {
                    acceptLock.unlock();
                }
            }
        } finally {
            // Last, because the program may bind the port again at once, and the end of many links takes a while.
            if (rings != null) {
                rings.close();
            }
        }
    }

    /**
     * Waits a moment for the thread that accepts, so that the port is free when close returns. If the wait fails, that
     * thread closes the kernel channel.
     */
    private boolean awaitAccept() {
        boolean interrupted = Thread.interrupted();
        try {
            return acceptLock.tryLock(CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
            return acceptLock.tryLock();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Closes the kernel channel, when no thread waits for a connection any more. */
    private void closeKernel() throws IOException {
        acceptLock.lock();
        try {
            if (closing) {
                return;
            }
            closing = true;
            AcceptWait waited = wait;
            if (waited != null) {
                waited.close();
            }
            // The program may bind the port again at once, and a selector may take a while to release the channel.
            TcpPort.stopListening(((SelChImpl) kernel).getFDVal());
            keys.closeWhenUnused(kernel::close);
        } finally {
            acceptLock.unlock();
        }
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
            closeIfClosed();
        }
    }

    /** A client waits to be accepted. */
    private void takeForClient() {
        if (isOpen() && !listener.held().isFull()) {
            isKernelReady();
        }
    }

    private void closeIfClosed() {
        if (!isOpen()) {
            try {
                closeKernel();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
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
