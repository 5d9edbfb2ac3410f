// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Poll;
import io.pipedevice.nio.placement.NoRings;
import io.pipedevice.nio.placement.RingConnection;
import io.pipedevice.nio.placement.RingListener;
import io.pipedevice.nio.select.AcceptWait;
import io.pipedevice.nio.select.PdSelectionKey;
import io.pipedevice.nio.select.Selectable;
import io.pipedevice.nio.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import sun.nio.ch.SelChImpl;

/**
 * A TCP server that accepts from the kernel and, where clients find its rings, from rings, in turn. Its kernel channel holds the
 * port and the options. That channel never blocks: a thread that waits, waits for both.
 *
 * <p>Thread safe. No thread holds {@link #acceptLock} and {@link #stateLock} together.
 */
final class PdServerSocketChannel extends ServerSocketChannel implements Selectable {
    private static final int DEFAULT_BACKLOG = 50;
    private static final long CLOSE_PATIENCE_MILLIS = 100;

    private final ChannelHome home;
    private final ServerSocketChannel kernel;
    private final ChannelKeys keys = new ChannelKeys();

    /** Held through a whole accept. */
    private final ReentrantLock acceptLock = new ReentrantLock();

    /** Held during bind, and while close takes the listener. */
    private final Object stateLock = new Object();

    /** Null until bound; changed under {@link #stateLock}. */
    private volatile RingListener listener;

    private volatile InetSocketAddress local;
    private ServerSocket adaptor;

    /** Created for the first wait, under {@link #acceptLock}. */
    private volatile AcceptWait wait;

    /** Whether the kernel's turn comes first; guarded by {@link #acceptLock}. */
    private boolean kernelFirst;

    /** The options that were set, which accepted connections inherit. Replaced as a whole, under {@link #stateLock}. */
    private volatile Map<SocketOption<?>, Object> options = Map.of(StandardSocketOptions.SO_REUSEADDR, true);

    PdServerSocketChannel(ChannelHome home, ServerSocketChannel kernel) throws IOException {
        super(home.provider());
        this.home = home;
        this.kernel = kernel;
        kernel.configureBlocking(false);
    }

    @Override
    public ServerSocketChannel bind(SocketAddress address, int backlog) throws IOException {
        RingListener rings;
        synchronized (stateLock) {
            requireOpen();
            boolean shared = isShared();
            if (!shared) {
                home.placement().warmUp();
            }
            kernel.bind(address, backlog);
            local = (InetSocketAddress) kernel.getLocalAddress();
            int waiting = backlog < 1 ? DEFAULT_BACKLOG : backlog;
            rings = shared ? new NoRings() : home.placement().listen(local, waiting, receiveSize(), this::ringsChanged);
            listener = rings;
        }
        ringsChanged();
        if (!isOpen()) {
            rings.close();
        }
        return this;
    }

    /** Whether others may listen at the same address and port, so that the kernel shares connections out among them. */
    private boolean isShared() {
        return Boolean.TRUE.equals(options.get(StandardSocketOptions.SO_REUSEPORT));
    }

    /** The size of receive rings that the program asked for; 0 for none. */
    private int receiveSize() {
        return options.get(StandardSocketOptions.SO_RCVBUF) instanceof Integer size ? size : 0;
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
     * @throws SocketTimeoutException after so many nanoseconds
     */
    SocketChannel accept(long timeoutNs) throws IOException {
        return accept(timeoutNs, true);
    }

    private SocketChannel accept(long timeoutNs, boolean blockingOnly) throws IOException {
        acceptLock.lock();
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
                return waitAndAccept(timeoutNs);
            }
            return tryAccept();
        } finally {
            acceptLock.unlock();
            if (!isOpen()) {
                closeKernel();
            }
        }
    }

    private SocketChannel waitAndAccept(long timeoutNs) throws IOException {
        SocketChannel accepted = null;
        long start = System.nanoTime();
        begin();
        try {
            if (isOpen() && wait == null) {
                wait = new AcceptWait(((SelChImpl) kernel).getFDVal());
            }
            while (isOpen()) {
                accepted = tryAccept();
                if (accepted != null) {
                    break;
                }
                long left = timeoutNs == Transport.FOREVER ? timeoutNs : timeoutNs - (System.nanoTime() - start);
                if (left <= 0) {
                    throw new SocketTimeoutException("Accept timed out");
                }
                wait.await(listener.source(), left);
            }
        } finally {
            endAccept(accepted);
        }
        return accepted;
    }

    /** Ends a wait. Closes a connection that the program does not get, because of an interrupt: its client would wait for ever. */
    private void endAccept(SocketChannel accepted) throws IOException {
        try {
            end(accepted != null);
        } catch (AsynchronousCloseException e) {
            if (accepted != null) {
                accepted.close();
            }
            throw e;
        }
    }

    /** Accepts from the kernel or from rings. The other one has the first turn next time, even if this one fails. */
    private SocketChannel tryAccept() throws IOException {
        boolean kernelNow = kernelFirst;
        kernelFirst = !kernelNow;
        SocketChannel accepted = kernelNow ? fromKernel() : fromRings();
        if (accepted != null) {
            return accepted;
        }
        return kernelNow ? fromRings() : fromKernel();
    }

    private SocketChannel fromRings() throws IOException {
        RingConnection rings = listener.accept();
        return rings == null ? null : PdSocketChannel.accepted(home, rings, options);
    }

    private SocketChannel fromKernel() throws IOException {
        SocketChannel accepted;
        try {
            accepted = kernel.accept();
        } catch (ClosedChannelException e) {
            throw isOpen() ? e : new AsynchronousCloseException();
        }
        if (accepted == null) {
            return null;
        }
        // The client may have come through the kernel because a driver died, or has started since.
        listener.refresh();
        return PdSocketChannel.accepted(home, accepted);
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
        if (rings != null) {
            rings.close();
        }
        wake();
        if (awaitAccept()) {
            try {
                closeKernel();
            } finally {
                acceptLock.unlock();
            }
        }
    }

    /** Waits a moment for the thread that accepts, so that the port is free when close returns. If it fails, that thread closes. */
    private boolean awaitAccept() {
        boolean interrupted = Thread.interrupted();
        try {
            return acceptLock.tryLock(CLOSE_PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
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
            AcceptWait waited = wait;
            if (waited != null) {
                waited.close();
            }
            keys.closeWhenUnused(kernel::close);
        } finally {
            acceptLock.unlock();
        }
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        if (kernel.supportedOptions().contains(name)) {
            requireOpen();
        }
        kernel.setOption(name, value);
        synchronized (stateLock) {
            Map<SocketOption<?>, Object> changed = new HashMap<>(options);
            changed.put(name, value);
            options = Map.copyOf(changed);
        }
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        if (kernel.supportedOptions().contains(name)) {
            requireOpen();
        }
        return kernel.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return kernel.supportedOptions();
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
    public int readyOps(int interest, int kernelEvents, int ringEvents) {
        boolean ready = (kernelEvents & (Poll.IN | Poll.ERR | Poll.HUP)) != 0 || (ringEvents & PdEpoll.IN) != 0;
        return ready ? interest & SelectionKey.OP_ACCEPT : 0;
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
        return rings.source() == null ? " kernel (" + rings.whyNone() + ")" : " rings";
    }
}
