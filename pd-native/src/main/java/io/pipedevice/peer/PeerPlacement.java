// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdListener;
import io.pipedevice.lib.PdNetwork;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Platform;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.PeerName;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.stream.PeerSocket;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Connections of a program that uses PD Lib without a driver. They lead to processes of the same user in the same
 * network namespace, including programs that use java.nio with PipeDevice. Addresses are the kernel's: each listener
 * and each connection has a TCP port. A listener also listens on its port, which shows clients that the port is its
 * own; TCP connections to it are reset at once.
 */
public final class PeerPlacement implements PdNetwork {
    private final PeerNetwork network;

    /**
     * Creates a placement without connections.
     *
     * @throws PdException ENOSYS on a system that is not supported
     */
    public PeerPlacement() throws PdException {
        if (!Platform.supported()) {
            throw new PdException(Errno.ENOSYS, Platform.whyNot());
        }
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
            // Not the socket's own answer: it does not distinguish the IPv4 wildcard address from that of both
            // families.
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
    public PdConnection connect(InetSocketAddress peer, int ringSize) throws PdException {
        if (peer.isUnresolved()) {
            throw new IllegalArgumentException("unresolved address " + peer);
        }
        InetSocketAddress to = new InetSocketAddress(PeerName.specific(peer.getAddress()), peer.getPort());
        Fd port;
        InetSocketAddress from;
        try {
            port = TcpPort.reserve(new InetSocketAddress(to.getAddress(), 0));
            from = TcpPort.address(port);
        } catch (LinuxException e) {
            throw new PdException(e.errno(), e.getMessage());
        }
        boolean done = false;
        try {
            PeerSocket socket = network.meet(to).connect(from, port, to);
            socket.keep(port::close);
            done = true;
            if (ringSize > 0) {
                socket.sendSize(ringSize);
            }
            return socket;
        } catch (PeerRefusal e) {
            throw switch (e.reason()) {
                case NO_RENDEZVOUS, BACKLOG_FULL -> new PdException(Errno.ECONNREFUSED, "");
                default -> e;
            };
        } finally {
            if (!done) {
                port.close();
            }
        }
    }

    private static PdException failure(IOException e) {
        boolean taken = String.valueOf(e.getMessage()).contains("in use");
        return new PdException(taken ? Errno.EADDRINUSE : Errno.EADDRNOTAVAIL, taken ? "" : e.getMessage());
    }

    /**
     * Takes the placement out of use, as the end of the process would. The owners of connections still have to close
     * them.
     */
    @Override
    public void close() {
        network.close();
    }
}
