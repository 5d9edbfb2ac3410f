// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.nio.stat.KernelReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import sun.nio.ch.SelChImpl;

/**
 * The address and port that a connection will come from: those that its kernel channel is bound to, or will be bound
 * to. Used by the one thread that connects.
 */
public final class SourcePort {
    private final Locality locality;
    private final SocketChannel kernel;
    private final InetAddress to;

    SourcePort(Locality locality, SocketChannel kernel, InetAddress to) {
        this.locality = locality;
        this.kernel = kernel;
        this.to = to;
    }

    /** The address that Linux picks, if the program leaves it and the port to the kernel; else null. */
    InetAddress free() throws KernelFallbackException {
        try {
            return kernel.getLocalAddress() == null ? locality.sourceFor(to) : null;
        } catch (IOException e) {
            throw noPort(e);
        }
    }

    /** The address that the connection comes from, with a port that the kernel reserves for it. */
    InetSocketAddress reserve() throws KernelFallbackException {
        try {
            InetSocketAddress bound = (InetSocketAddress) kernel.getLocalAddress();
            if (bound == null) {
                kernel.bind(new InetSocketAddress(locality.sourceFor(to), 0));
                return (InetSocketAddress) kernel.getLocalAddress();
            }
            if (bound.getAddress().isAnyLocalAddress()) {
                return new InetSocketAddress(locality.sourceFor(to), bound.getPort());
            }
            if (bound.getAddress().getClass() != to.getClass()) {
                // No connection goes from one family to the other: the kernel's own connect fails, with its own
                // message.
                throw new KernelFallbackException(KernelReason.HANDSHAKE_FAILED, "bound to " + bound);
            }
            return bound;
        } catch (IOException e) {
            throw noPort(e);
        }
    }

    /** The kernel's own connect then fails too, and the program sees that failure. */
    private static KernelFallbackException noPort(IOException e) {
        return new KernelFallbackException(KernelReason.NO_SOURCE_PORT, e.getMessage());
    }

    /**
     * A descriptor of the socket that has the port, which the caller closes; null if the channel was closed meanwhile.
     */
    Fd duplicate(InetSocketAddress reserved) throws LinuxException {
        return TcpPort.duplicate(((SelChImpl) kernel).getFDVal(), reserved);
    }
}
