// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.nio.stat.KernelReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import sun.nio.ch.SelChImpl;

/** Where a connection that is about to be made comes from: what the kernel channel is bound to, or will be. One thread. */
final class SourcePort {
    private final Locality locality;
    private final SocketChannel kernel;
    private final InetAddress to;

    SourcePort(Locality locality, SocketChannel kernel, InetAddress to) {
        this.locality = locality;
        this.kernel = kernel;
        this.to = to;
    }

    /** The address as Linux picks it, if the program leaves it and the port to the kernel; else null. */
    InetAddress free() throws StaysOnKernel {
        try {
            return kernel.getLocalAddress() == null ? locality.sourceFor(to) : null;
        } catch (IOException e) {
            throw noPort(e);
        }
    }

    /** The address that the connection comes from, with a port that the kernel keeps for it. */
    InetSocketAddress reserve() throws StaysOnKernel {
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
                // From one family to the other nothing goes, and the kernel's own connect says so.
                throw new StaysOnKernel(KernelReason.HANDSHAKE_FAILED, "bound to " + bound);
            }
            return bound;
        } catch (IOException e) {
            throw noPort(e);
        }
    }

    /** The program hears of it from the kernel's own connect. */
    private static StaysOnKernel noPort(IOException e) {
        return new StaysOnKernel(KernelReason.NO_SOURCE_PORT, e.getMessage());
    }

    /** The socket that holds the port, by a descriptor for the caller to close; null if the channel was closed meanwhile. */
    Fd duplicate(InetSocketAddress reserved) throws LinuxException {
        return TcpPort.duplicate(((SelChImpl) kernel).getFDVal(), reserved);
    }
}
