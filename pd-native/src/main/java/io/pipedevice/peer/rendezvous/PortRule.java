// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.peer.link.PeerRefusal;
import java.net.InetSocketAddress;

/** By what a client judges whether a process that has a listener's name may have it. Thread safe. */
enum PortRule {
    /** The kernel's port is to be that process's too. */
    KERNEL,

    /** Whoever of this user has the name: for tests, whose listeners have no port of the kernel's. */
    NAME_ALONE;

    /**
     * Finds what an address stands for.
     *
     * @param to an address of this host
     * @throws PeerRefusal NO_RENDEZVOUS if nobody listens there
     */
    Port find(InetSocketAddress to) throws PeerRefusal {
        return this == KERNEL ? KernelPort.find(to) : new NamedPort(to);
    }
}
