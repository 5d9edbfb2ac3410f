// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/** How a connection goes: through rings, or through the kernel for a reason. One of the two is null. */
record ConnectDecision(RingConnection rings, KernelReason reason) {
    private static ConnectDecision kernel(KernelReason reason) {
        return new ConnectDecision(null, reason);
    }

    /**
     * Decides, and connects if it is to be rings. Otherwise nothing is left behind but a source port, which is the
     * kernel channel's.
     *
     * @param kernel holds the port of the connection, whichever way it goes
     * @param to resolved, not the wildcard
     */
    static ConnectDecision decide(
            RingNetwork network, Locality locality, OptionStore options, SocketChannel kernel, InetSocketAddress to)
            throws IOException {
        if (!locality.isLocal(to.getAddress())) {
            return kernel(KernelReason.PEER_NOT_LOCAL);
        }
        if (to.getPort() == 0 || !network.mayMeet(to)) {
            return kernel(KernelReason.NO_RENDEZVOUS);
        }
        RingAttachment attachment = network.meet(to);
        if (attachment == null) {
            return kernel(KernelReason.DRIVER_GONE);
        }
        InetSocketAddress from = reservePort(kernel, to);
        if (from == null) {
            return kernel(KernelReason.HANDSHAKE_FAILED);
        }
        try {
            return new ConnectDecision(
                    new RingConnection(attachment, connect(network, attachment, options, from, to)), null);
        } catch (PdException e) {
            network.failed(attachment, e);
            return kernel(reasonOf(e));
        } catch (IllegalStateException e) {
            return kernel(KernelReason.DRIVER_GONE);
        }
    }

    private static PdSocket connect(
            RingNetwork network,
            RingAttachment attachment,
            OptionStore options,
            InetSocketAddress from,
            InetSocketAddress to)
            throws PdException {
        PdSocket socket = attachment.open();
        boolean done = false;
        try {
            int size = network.ringSize();
            socket.setOption(StandardSocketOptions.SO_SNDBUF, options.sendSize(size));
            socket.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveSize(size));
            socket.bind(from);
            socket.connect(to);
            done = true;
            return socket;
        } finally {
            if (!done) {
                attachment.close(socket);
            }
        }
    }

    /** The address that the connection comes from, as Linux picks it, with a port that the kernel gave; null if none. */
    private static InetSocketAddress reservePort(SocketChannel kernel, InetSocketAddress to) throws IOException {
        InetSocketAddress bound = (InetSocketAddress) kernel.getLocalAddress();
        if (bound == null) {
            try {
                kernel.bind(new InetSocketAddress(source(to.getAddress()), 0));
            } catch (IOException e) {
                // The kernel's own connect says why.
                return null;
            }
            return (InetSocketAddress) kernel.getLocalAddress();
        }
        if (!bound.getAddress().isAnyLocalAddress()) {
            return bound;
        }
        return new InetSocketAddress(source(to.getAddress()), bound.getPort());
    }

    private static InetAddress source(InetAddress to) throws IOException {
        if (!to.isLoopbackAddress() || to instanceof Inet6Address) {
            return to;
        }
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    /** Why the driver or PD Lib refused. */
    static KernelReason reasonOf(PdException e) {
        return switch (e.errno()) {
            case Errno.ECONNREFUSED -> refusal(e);
            case Errno.EACCES -> KernelReason.POLICY;
            case Errno.ENOBUFS, Errno.ENOMEM, Errno.EMFILE, Errno.ENFILE -> KernelReason.NO_MEMORY;
            case Errno.ENODEV, Errno.EPROTO, Errno.ETIMEDOUT -> KernelReason.DRIVER_GONE;
            default -> KernelReason.HANDSHAKE_FAILED;
        };
    }

    /** A refusal is one number, as it is for TCP; what it is about is in the driver's words. */
    private static KernelReason refusal(PdException e) {
        String words = e.getCause() == null ? "" : String.valueOf(e.getCause().getMessage());
        if (words.contains("another user")) {
            return KernelReason.OTHER_USER;
        }
        return words.contains("backlog") ? KernelReason.BACKLOG_FULL : KernelReason.NO_RENDEZVOUS;
    }
}
