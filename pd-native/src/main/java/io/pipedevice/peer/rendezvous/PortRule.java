// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.PeerName;
import java.net.InetSocketAddress;
import java.util.List;

/** How a client decides whether a process may have the name of a listener. Thread safe. */
enum PortRule {
    /** The process must own the kernel's port too. */
    KERNEL,

    /** Any process of this user may have the name: for tests, whose listeners have no port of the kernel. */
    NAME_ALONE;

    /**
     * Finds the port of an address.
     *
     * @param to an address of this host
     * @throws PeerRefusal NO_RENDEZVOUS if no process listens there
     */
    Port find(InetSocketAddress to) throws PeerRefusal {
        return this == KERNEL ? KernelPort.find(to) : new NamedPort(to);
    }

    /** A port that is believed to belong to any process that has one of its names. */
    private record NamedPort(InetSocketAddress to) implements Port {
        @Override
        public List<UnixAddress> names() {
            return PeerName.candidates(to);
        }

        @Override
        public void requireOwner(UnixSocket.Credentials owner) {}

        @Override
        public long inode() {
            return 0;
        }

        @Override
        public Port again() {
            return this;
        }
    }
}
