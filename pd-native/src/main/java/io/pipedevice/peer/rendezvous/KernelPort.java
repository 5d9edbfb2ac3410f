// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.SocketSearch;
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
 * The kernel's TCP socket that a connection to an address would reach. Only its owner may take its clients: a process
 * of the user who created the socket, with a descriptor of it. The descriptors of a process in another PID namespace
 * cannot be listed, so that only its user is checked. A visible process that does not permit the listing is not the
 * owner.
 */
final class KernelPort implements Port {
    private static final int SELF = ProcessFacts.self();

    private final InetSocketAddress to;
    private final TcpListener listener;

    /** The number of the owner's descriptor of the socket, or a likely one. */
    private int descriptor;

    private KernelPort(InetSocketAddress to, TcpListener listener, int descriptor) {
        this.to = to;
        this.listener = listener;
        this.descriptor = descriptor;
    }

    static Port find(InetSocketAddress to) throws PeerRefusal {
        return find(to, SocketSearch.NONE);
    }

    private static Port find(InetSocketAddress to, int descriptor) throws PeerRefusal {
        TcpListener listener;
        try {
            listener = socket(to);
        } catch (IOException e) {
            throw new PeerRefusal(PeerRefusal.Reason.of(e), "cannot find the socket of the port: " + e.getMessage());
        }
        if (listener == null) {
            throw new PeerRefusal(PeerRefusal.Reason.NO_RENDEZVOUS, "");
        }
        return new KernelPort(to, listener, descriptor);
    }

    /**
     * The inode of the socket that a connection would reach; 0 if there is none, negative if the kernel does not
     * answer.
     */
    static long inode(InetSocketAddress to) {
        try {
            TcpListener listener = socket(to);
            return listener == null ? 0 : listener.inode();
        } catch (IOException e) {
            return -1;
        }
    }

    private static TcpListener socket(InetSocketAddress to) throws IOException {
        return TcpListener.at(new InetSocketAddress(PeerName.specific(to.getAddress()), to.getPort()));
    }

    @Override
    public long inode() {
        return listener.inode();
    }

    @Override
    public List<UnixAddress> names() {
        InetSocketAddress at = listener.address();
        boolean both = at.getAddress().isAnyLocalAddress() && !(at.getAddress() instanceof Inet4Address);
        return both && to.getAddress() instanceof Inet4Address
                // The kernel's socket serves both families, but its program may have published only IPv4.
                ? List.of(PeerName.of(at), PeerName.anyOfV4(at.getPort()))
                : List.of(PeerName.of(at));
    }

    @Override
    public void requireOwner(UnixSocket.Credentials owner) throws PeerRefusal {
        if (owner.uid() != listener.uid()) {
            throw new PeerRefusal(PeerRefusal.Reason.OTHER_USER, "the kernel's port belongs to user " + listener.uid());
        }
        if (owner.pid() != 0 && owner.pid() != SELF && SocketSearch.isPossible()) {
            requireDescriptor(owner.pid());
        }
    }

    private void requireDescriptor(int pid) throws PeerRefusal {
        try {
            descriptor = SocketSearch.descriptor(pid, listener.inode(), descriptor);
        } catch (IOException e) {
            throw new PeerRefusal(
                    PeerRefusal.Reason.OTHER_PROCESS,
                    "cannot find out whether process " + pid + " has the kernel's port: " + e.getMessage());
        }
        if (descriptor == SocketSearch.NONE) {
            throw new PeerRefusal(
                    PeerRefusal.Reason.OTHER_PROCESS, "process " + pid + " does not have the kernel's port");
        }
    }

    @Override
    public Port again() throws PeerRefusal {
        return find(to, descriptor);
    }
}
