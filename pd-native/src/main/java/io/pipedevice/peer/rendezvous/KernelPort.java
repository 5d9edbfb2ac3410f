// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.ProcessSockets;
import io.pipedevice.linux.TcpListener;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.PeerName;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The TCP socket of the kernel's that a connection to an address would get to. Its owner alone may take its clients: the
 * process must be of the user who created it, and have a descriptor of it. A process of another PID namespace cannot be
 * looked at, and is judged by its user; one that can be seen and does not let itself be looked at is not its owner.
 */
final class KernelPort implements Port {
    private static final int SELF = ProcessFacts.self();

    private final InetSocketAddress to;
    private final TcpListener listener;

    /** What the owner was found to have it as, or is likely to. */
    private int descriptor;

    private KernelPort(InetSocketAddress to, TcpListener listener, int descriptor) {
        this.to = to;
        this.listener = listener;
        this.descriptor = descriptor;
    }

    static Port find(InetSocketAddress to) throws PeerRefusal {
        return find(to, ProcessSockets.NONE);
    }

    private static Port find(InetSocketAddress to, int descriptor) throws PeerRefusal {
        TcpListener listener;
        try {
            listener = TcpListener.at(new InetSocketAddress(PeerName.specific(to.getAddress()), to.getPort()));
        } catch (IOException e) {
            throw new PeerRefusal(
                    PeerRefusal.Reason.of(e), "the kernel does not say whose port it is: " + e.getMessage());
        }
        if (listener == null) {
            throw new PeerRefusal(PeerRefusal.Reason.NO_RENDEZVOUS, "");
        }
        return new KernelPort(to, listener, descriptor);
    }

    @Override
    public List<UnixAddress> names() {
        InetSocketAddress at = listener.address();
        boolean both = at.getAddress().isAnyLocalAddress() && !(at.getAddress() instanceof Inet4Address);
        return both && to.getAddress() instanceof Inet4Address
                // The kernel's socket takes both families; its program may want one.
                ? List.of(PeerName.of(at), PeerName.anyOfV4(at.getPort()))
                : List.of(PeerName.of(at));
    }

    @Override
    public void requireOwner(UnixSocket.Credentials owner) throws PeerRefusal {
        if (owner.uid() != listener.uid()) {
            throw new PeerRefusal(PeerRefusal.Reason.OTHER_USER, "the kernel's port is that of user " + listener.uid());
        }
        if (owner.pid() != 0 && owner.pid() != SELF && ProcessSockets.isPossible()) {
            requireDescriptor(owner.pid());
        }
    }

    private void requireDescriptor(int pid) throws PeerRefusal {
        try {
            descriptor = ProcessSockets.descriptor(pid, listener.inode(), descriptor);
        } catch (IOException e) {
            throw new PeerRefusal(
                    PeerRefusal.Reason.OTHER_PROCESS,
                    "whether process " + pid + " has the kernel's port cannot be seen: " + e.getMessage());
        }
        if (descriptor == ProcessSockets.NONE) {
            throw new PeerRefusal(
                    PeerRefusal.Reason.OTHER_PROCESS, "process " + pid + " does not have the kernel's port");
        }
    }

    @Override
    public Port again() throws PeerRefusal {
        return find(to, descriptor);
    }
}
