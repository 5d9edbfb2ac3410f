// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
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
        if (!locality.isLocal(to.getAddress()) || to.getAddress().isLinkLocalAddress()) {
            // Which interface a link-local address belongs to is not said on the way.
            return kernel(KernelReason.PEER_NOT_LOCAL);
        }
        if (to.getPort() == 0) {
            return kernel(KernelReason.NO_RENDEZVOUS);
        }
        try {
            RingMeeting meeting = network.meet(to);
            InetSocketAddress from = reservePort(locality, kernel, to);
            if (from == null) {
                return kernel(KernelReason.HANDSHAKE_FAILED);
            }
            return new ConnectDecision(meeting.connect(from, to, options), null);
        } catch (StaysOnKernel e) {
            return kernel(e.reason());
        }
    }

    /** The address that the connection comes from, as Linux picks it, with a port that the kernel gave; null if none. */
    private static InetSocketAddress reservePort(Locality locality, SocketChannel kernel, InetSocketAddress to)
            throws IOException {
        InetSocketAddress bound = (InetSocketAddress) kernel.getLocalAddress();
        if (bound == null) {
            try {
                kernel.bind(new InetSocketAddress(locality.sourceFor(to.getAddress()), 0));
            } catch (IOException e) {
                // The kernel's own connect says why.
                return null;
            }
            return (InetSocketAddress) kernel.getLocalAddress();
        }
        if (bound.getAddress().isAnyLocalAddress()) {
            return new InetSocketAddress(locality.sourceFor(to.getAddress()), bound.getPort());
        }
        // From one family to the other nothing goes, and the kernel's own connect says so.
        return bound.getAddress().getClass() == to.getAddress().getClass() ? bound : null;
    }
}
