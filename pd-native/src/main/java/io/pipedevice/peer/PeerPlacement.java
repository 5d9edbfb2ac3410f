// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdListener;
import io.pipedevice.lib.PdNetwork;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Platform;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Connections of a program that uses PD Lib without a driver: to processes of the same user in the same network namespace,
 * also those that use java.nio with PipeDevice. Addresses are the kernel's: each listener and each connection has its port.
 * A listener listens there, too, by which clients know that the port is its own; connections by TCP are reset at once.
 */
public final class PeerPlacement implements PdNetwork {
    private final PeerNetwork network;

    /**
     * Creates one without connections.
     *
     * @throws PdException ENOSYS on a system that is not supported
     */
    public PeerPlacement() throws PdException {
        if (!Platform.supported()) {
            throw new PdException(Errno.ENOSYS, Platform.whyNot());
        }
        PeerOptions.check();
        network = new PeerNetwork();
    }

    /** A listener and its port. */
    private record Listener(PeerListener listener, ListeningPort port) implements PdListener {
        @Override
        public PeerSocket accept(long timeoutNanos) throws PdException {
            return listener.accept(timeoutNanos);
        }

        @Override
        public InetSocketAddress localAddress() {
            return listener.address();
        }

        @Override
        public boolean isOpen() {
            return listener.isOpen();
        }

        @Override
        public void close() {
            listener.close();
            port.close();
        }
    }

    @Override
    public PdListener listen(InetSocketAddress local, int backlog) throws PdException {
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog " + backlog + "; it is at least 1");
        }
        ListeningPort port;
        try {
            port = ListeningPort.open(local);
        } catch (IOException e) {
            throw failure(e);
        }
        try {
            // Not what the socket says, for which all addresses of IPv4 and those of both families are the same.
            boolean any = local != null && local.getAddress().isAnyLocalAddress();
            InetSocketAddress at = port.address();
            return new Listener(
                    network.listen(any ? new InetSocketAddress(local.getAddress(), at.getPort()) : at, backlog), port);
        } catch (PdException | RuntimeException e) {
            port.close();
            throw e;
        }
    }

    @Override
    public PeerSocket connect(InetSocketAddress peer, int ringSize) throws PdException {
        if (peer.isUnresolved()) {
            throw new IllegalArgumentException("unresolved address " + peer);
        }
        InetSocketAddress to = new InetSocketAddress(PeerName.specific(peer.getAddress()), peer.getPort());
        Socket port = reserve(new InetSocketAddress(to.getAddress(), 0));
        try {
            PeerSocket socket = network.meet(to).connect(address(port), to);
            socket.keep(port);
            if (ringSize > 0) {
                socket.sendSize(ringSize);
            }
            return socket;
        } catch (PeerRefusal e) {
            release(port, e);
            throw switch (e.reason()) {
                case NO_RENDEZVOUS, BACKLOG_FULL -> new PdException(Errno.ECONNREFUSED, "");
                default -> e;
            };
        } catch (RuntimeException e) {
            release(port, e);
            throw e;
        }
    }

    /** Takes a port of the kernel's, at which nobody listens. */
    private static Socket reserve(InetSocketAddress address) throws PdException {
        Socket port = new Socket();
        try {
            port.bind(address);
            return port;
        } catch (IOException e) {
            release(port, e);
            throw failure(e);
        }
    }

    private static PdException failure(IOException e) {
        boolean taken = String.valueOf(e.getMessage()).contains("in use");
        return new PdException(taken ? Errno.EADDRINUSE : Errno.EADDRNOTAVAIL, taken ? "" : e.getMessage());
    }

    private static InetSocketAddress address(Socket port) {
        return (InetSocketAddress) port.getLocalSocketAddress();
    }

    private static void release(Socket port, Exception why) {
        try {
            port.close();
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }

    /** Takes it out of use, as the end of the process would; connections remain to be closed by those who have them. */
    @Override
    public void close() {
        network.close();
    }
}
