// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.broker.Broker;
import io.pipedevice.nio.stat.KernelReason;
import java.net.InetSocketAddress;

/**
 * The address to which the kernel makes a connection that may change to rings, and what is remembered of its
 * connections.
 *
 * @param to as the program says
 * @param isOwn whether it is an address of this host, at which no listener was found: a rule of the packet filter may
 *     lead to another network namespace
 * @param outside the destinations whose connections do not ask
 * @param broker knows the listeners of this network namespace
 */
record Destination(InetSocketAddress to, boolean isOwn, OutsideHosts outside, Broker broker) {
    /**
     * Refuses a connection that is not to ask now.
     *
     * @throws KernelFallbackException the reason of the last connection
     */
    void check() throws KernelFallbackException {
        try {
            outside.check(to);
        } catch (KernelFallbackException why) {
            // Its last connection stood.
            stands();
            throw why;
        }
    }

    /** The kernel's connection stands. */
    void stands() {
        if (isOwn) {
            broker.stands(to);
        }
    }

    /** The connection goes on through rings. */
    void inside() {
        outside.inside(to);
    }

    /** The connection stays on the kernel, and so will the next ones for a while. */
    void outside(KernelFallbackException why) {
        outside.outside(to, why);
    }

    /** The reason of a connection that has no other end that takes part. */
    KernelFallbackException hasNoOtherEnd(String detail) {
        return new KernelFallbackException(isOwn ? KernelReason.NO_RENDEZVOUS : KernelReason.PEER_NOT_LOCAL, detail);
    }
}
