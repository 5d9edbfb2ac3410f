// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.nio.stat.KernelReason;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/**
 * Whether a connection goes through rings, or through the kernel for a reason. Immutable.
 *
 * @param rings the connection, which the caller of {@link #decide} closes; null if it goes through the kernel
 * @param reason null if it goes through rings
 * @param detail details of the reason; null if there are none
 */
public record ConnectDecision(RingConnection rings, KernelReason reason, String detail) {
    private static ConnectDecision kernel(KernelReason reason, String detail) {
        return new ConnectDecision(null, reason, detail);
    }

    /**
     * Decides, and connects if the decision is for rings. Otherwise only a source port is left behind, which the kernel
     * channel has. The caller holds the channel's locks.
     *
     * @param placement finds the listener
     * @param locality knows the address that the connection comes from
     * @param sizes the sizes of rings that the program asked for
     * @param kernel holds the port of the connection, whichever way it goes
     * @param to the listener's address: resolved, not the wildcard
     * @param timeoutMillis as for {@link Placement#meet}
     * @return the connection, or the reason against it
     */
    public static ConnectDecision decide(
            Placement placement,
            Locality locality,
            RingSizes sizes,
            SocketChannel kernel,
            InetSocketAddress to,
            int timeoutMillis) {
        if (!placement.reaches(to.getAddress())) {
            return kernel(KernelReason.PEER_NOT_LOCAL, null);
        }
        if (to.getPort() == 0) {
            return kernel(KernelReason.NO_RENDEZVOUS, null);
        }
        try {
            RingMeeting meeting = placement.meet(to, timeoutMillis);
            SourcePort from = new SourcePort(locality, kernel, to.getAddress());
            return new ConnectDecision(meeting.connect(from, to, sizes), null, null);
        } catch (KernelFallbackException e) {
            return kernel(e.reason(), e.getMessage());
        }
    }
}
