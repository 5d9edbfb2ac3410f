// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.client.DriverSocket;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.nio.stat.KernelReason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The driver's side of a server that also listens on the kernel, at the same address. It is published when there is a
 * driver, and again after a driver died and another one started. Thread safe.
 */
final class DriverListener implements RingListener {
    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");
    private static final LimitedLog NOT_ACCEPTED =
            LimitedLog.warning("io.pipedevice", "connections that wait at {0} are reset: {1}");

    private final DriverPlacement placement;
    private final DriverReturn comeback;
    private final ServerSocketChannel kernel;
    private final int backlog;
    private final int receiveSize;
    private final Runnable changed;

    /** Null before it is announced; changed under this object's monitor, like the next fields. */
    private volatile HeldConnections held;

    /** Null before it is announced. */
    private volatile InetSocketAddress address;

    private volatile PdSocket socket;

    private volatile DriverAttachment attachment;
    private volatile boolean closed;

    /** The size of receive rings that was last passed to the driver; guarded by this object's monitor. */
    private int listeningSize;

    /**
     * Creates it, unpublished.
     *
     * @param comeback publishes it when a driver comes, as long as it is open
     * @param kernel the kernel's socket
     * @param receiveSize size of the accepted connections' rings, in bytes; 0 for the best one
     * @param changed is called when there is a socket to accept from, or another one; by any thread
     */
    DriverListener(
            DriverPlacement placement,
            DriverReturn comeback,
            ServerSocketChannel kernel,
            int backlog,
            int receiveSize,
            Runnable changed) {
        this.placement = placement;
        this.comeback = comeback;
        this.kernel = kernel;
        this.backlog = backlog;
        this.receiveSize = receiveSize;
        this.changed = changed;
    }

    /** Announces it at an address, as before the kernel listens there. */
    synchronized void announce(InetSocketAddress at) {
        address = at;
        held = placement.announce(kernel, at, backlog);
    }

    @Override
    public void publish(InetSocketAddress bound) {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (isAnnounced(bound)) {
                address = bound;
                held.bound(bound);
            } else {
                if (held != null) {
                    held.close();
                }
                announce(bound);
            }
        }
        comeback.opened(this);
        refresh();
    }

    /** The kernel may name the wildcard of the other family, which means the same addresses of this namespace. */
    private boolean isAnnounced(InetSocketAddress bound) {
        InetSocketAddress announced = address;
        return announced != null
                && announced.getPort() == bound.getPort()
                && (announced.equals(bound)
                        || (announced.getAddress().isAnyLocalAddress()
                                && bound.getAddress().isAnyLocalAddress()));
    }

    @Override
    public PdSource source() {
        return socket;
    }

    @Override
    public HeldConnections held() {
        return held;
    }

    /** Listens, if there is a driver that does not know this listener yet. */
    @Override
    public void refresh() {
        DriverAttachment current = placement.attach();
        PdSocket published = socket;
        if (current != null) {
            publish(current);
        } else if (published != null && !attachment.isServed()) {
            // Its driver has died, and no accept has noticed it.
            withdraw(published);
        }
        if (socket == null) {
            comeback.await();
        }
    }

    /** Listens with an attachment; does nothing if it does already. */
    private void publish(DriverAttachment at) {
        try {
            synchronized (this) {
                if (closed || (socket != null && attachment == at)) {
                    return;
                }
                closeSocket();
                listen(at);
            }
        } catch (PdException e) {
            LOG.get().log(System.Logger.Level.DEBUG, "clients of " + address + " use the kernel: " + e.getMessage());
            placement.failed(at);
            return;
        } catch (IllegalStateException e) {
            // Its driver is gone, and another thread has retired the attachment: the next call looks for another
            // driver.
            return;
        }
        changed.run();
    }

    private void listen(DriverAttachment at) throws PdException {
        PdSocket listening = at.open();
        boolean done = false;
        try {
            listening.bind(address);
            listen(listening);
            attachment = at;
            socket = listening;
            done = true;
            held.offer(at, listening);
        } finally {
            if (!done) {
                at.close(listening);
            }
        }
    }

    private void listen(PdSocket listening) throws PdException {
        int size = wantedSize();
        listening.setOption(StandardSocketOptions.SO_RCVBUF, size);
        listening.listen(backlog);
        listeningSize = size;
    }

    private int wantedSize() {
        return receiveSize == 0 ? placement.ringSize() : receiveSize;
    }

    /** Adapts the ring size of future connections to the present number of connections. */
    private synchronized void resize(PdSocket listening) throws PdException {
        if (listeningSize != wantedSize() && listening.isOpen()) {
            listen(listening);
        }
    }

    @Override
    public RingConnection accept() throws IOException {
        PdSocket from = socket;
        DriverAttachment at = attachment;
        if (from == null) {
            return null;
        }
        try {
            from.setOption(StandardSocketOptions.SO_SNDBUF, placement.ringSize());
            resize(from);
            return accept(at, from);
        } catch (PdException e) {
            placement.failed(at);
            if (at.isServed()) {
                AcceptFailure.throwIfExhausted(e);
                NOT_ACCEPTED.log(address, e.getMessage());
            }
            // Every further accept would fail, and the clients would wait for ever.
            withdraw(from);
            return null;
        } catch (IllegalStateException e) {
            // Closed, or replaced by another socket.
            return null;
        }
    }

    private RingConnection accept(DriverAttachment at, PdSocket from) throws PdException {
        for (PdSocket accepted = from.accept(); accepted != null; accepted = from.accept()) {
            at.use();
            int introduction = ((DriverSocket) accepted).introduction();
            SocketChannel kernel = introduction == 0 ? null : held.claim(introduction);
            if (introduction == 0 || kernel != null) {
                return new DriverConnection(at, accepted, kernel);
            }
            // It came too late: the kernel's connection is the program's, or closed.
            accepted.setOption(StandardSocketOptions.SO_LINGER, 0);
            at.close(accepted);
        }
        return null;
    }

    /** Resets the waiting clients. Later clients use the kernel, and make this listener try again. */
    private void withdraw(PdSocket dead) {
        synchronized (this) {
            if (!dead.equals(socket)) {
                return;
            }
            closeSocket();
        }
        comeback.await();
        changed.run();
    }

    private void closeSocket() {
        if (socket != null) {
            attachment.close(socket);
            socket = null;
        }
    }

    @Override
    public KernelReason whyKernel() {
        DriverAttachment at = attachment;
        boolean offered = socket != null && at != null && at.isServed();
        return offered ? KernelReason.NOT_PIPEDEVICE_PEER : placement.whyNone();
    }

    @Override
    public synchronized void withdraw() {
        closed = true;
        comeback.closed(this);
        closeSocket();
        if (held != null) {
            held.withdraw();
        }
    }

    @Override
    public synchronized void close() {
        withdraw();
        if (held != null) {
            held.close();
        }
    }
}
