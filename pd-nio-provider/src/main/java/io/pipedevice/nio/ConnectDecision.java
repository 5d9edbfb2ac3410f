// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.nio.stat.KernelReason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/**
 * How a connection goes: through rings, or through the kernel for a reason.
 *
 * @param rings null if it goes through the kernel
 * @param reason null if it goes through rings
 * @param detail says more than the reason; null if there is no more to say
 */
record ConnectDecision(RingConnection rings, KernelReason reason, String detail) {
    private static ConnectDecision kernel(KernelReason reason, String detail) {
        return new ConnectDecision(null, reason, detail);
    }

    /**
     * Decides, and connects if it is to be rings. Otherwise nothing is left behind but a source port, which is the
     * kernel channel's.
     *
     * @param locality tells where the connection comes from
     * @param kernel holds the port of the connection, whichever way it goes
     * @param to resolved, not the wildcard
     * @param hurry as for {@link Placement#meet}
     */
    static ConnectDecision decide(
            Placement placement,
            Locality locality,
            OptionStore options,
            SocketChannel kernel,
            InetSocketAddress to,
            int hurry)
            throws IOException {
        if (!placement.reaches(to.getAddress())) {
            return kernel(KernelReason.PEER_NOT_LOCAL, null);
        }
        if (to.getPort() == 0) {
            return kernel(KernelReason.NO_RENDEZVOUS, null);
        }
        try {
            RingMeeting meeting = placement.meet(to, hurry);
            SourcePort from = new SourcePort(locality, kernel, to.getAddress());
            return new ConnectDecision(meeting.connect(from, to, options), null, null);
        } catch (StaysOnKernel e) {
            return kernel(e.reason(), e.getMessage());
        }
    }
}
