// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;

/**
 * The place where clients meet a server that also listens on the kernel at the same address. It is there once somebody
 * published it, and again after a driver died and another came. Thread safe.
 */
final class RingListener {
    private static final System.Logger LOGGER = System.getLogger("io.pipedevice");

    private final RingNetwork network;
    private final InetSocketAddress address;
    private final int backlog;
    private final int receiveSize;
    private final Runnable changed;

    /** Changed under this object's monitor. */
    private volatile PdSocket socket;

    private volatile RingAttachment attachment;
    private volatile boolean closed;

    /** Of the rings of connections to come; guarded by this object's monitor. */
    private int listeningSize;

    /**
     * Creates it, unpublished.
     *
     * @param address that the kernel socket is bound to
     * @param receiveSize of the accepted connections' rings, in bytes; 0 for what the network thinks best
     * @param changed is called when there is a socket to accept from, or another one; by any thread
     */
    RingListener(RingNetwork network, InetSocketAddress address, int backlog, int receiveSize, Runnable changed) {
        this.network = network;
        this.address = address;
        this.backlog = backlog;
        this.receiveSize = receiveSize;
        this.changed = changed;
    }

    /** The listening socket; null while there is none. */
    PdSocket socket() {
        return socket;
    }

    /** Whether a connection to an address reaches this listener in the kernel. */
    boolean covers(InetSocketAddress to) {
        InetAddress own = address.getAddress();
        InetAddress other = to.getAddress();
        return to.getPort() == address.getPort()
                && (own.equals(other)
                        || (own.isAnyLocalAddress() && (own instanceof Inet6Address || other instanceof Inet4Address)));
    }

    /** Listens with an attachment; does nothing if it does already. */
    void publish(RingAttachment at) {
        synchronized (this) {
            if (closed || (socket != null && attachment == at)) {
                return;
            }
            withdraw();
            try {
                listen(at);
            } catch (PdException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "clients of " + address + " use the kernel: " + e.getMessage());
                return;
            }
        }
        changed.run();
    }

    private void listen(RingAttachment at) throws PdException {
        PdSocket listening = at.open();
        boolean done = false;
        try {
            listening.bind(address);
            listen(listening);
            attachment = at;
            socket = listening;
            done = true;
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
        return receiveSize == 0 ? network.ringSize() : receiveSize;
    }

    /** Rings of connections to come follow the number of those that there are. */
    private synchronized void resize(PdSocket listening) throws PdException {
        if (listeningSize != wantedSize() && listening.isOpen()) {
            listen(listening);
        }
    }

    /** Takes a connection that waits; null if there is none, or no memory for it, which leaves it waiting. */
    RingConnection accept(int sendSize) {
        PdSocket from = socket;
        RingAttachment at = attachment;
        if (from == null) {
            return null;
        }
        try {
            from.setOption(StandardSocketOptions.SO_SNDBUF, sendSize == 0 ? network.ringSize() : sendSize);
            resize(from);
            PdSocket accepted = from.accept();
            if (accepted == null) {
                return null;
            }
            at.use();
            return new RingConnection(at, accepted);
        } catch (PdException | IllegalStateException e) {
            network.failed(at, e);
            return null;
        }
    }

    private void withdraw() {
        if (socket != null) {
            attachment.close(socket);
            socket = null;
        }
    }

    synchronized void close() {
        closed = true;
        withdraw();
    }
}
