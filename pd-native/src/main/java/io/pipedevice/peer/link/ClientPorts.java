// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Which addresses the client of a link has shown to be its own, by the descriptors of sockets that hold them. The server's;
 * guarded by the link's lock.
 *
 * <p>Of the first slots the descriptors are kept, so that nobody else gets the port: the next connection of such a slot comes
 * from the same address without a new proof. Of other slots only the address is kept, until the connection is accepted. The
 * server says in KEEPS_PORTS how many slots are the first ones: none if its budget of descriptors has no room.
 */
final class ClientPorts {
    /** Of so many slots at most the port is kept. Each costs a descriptor. */
    static final int MOST_KEPT = 16;

    /** In which the client's sockets must be. */
    private final long namespace;

    private final DescriptorCloser closer;
    private final HostAddresses host;
    private final Fd[] kept;
    private final Map<Integer, InetSocketAddress> once = new HashMap<>();

    ClientPorts(Fd like, DescriptorCloser closer, HostAddresses host, int keeps) {
        kept = new Fd[keeps];
        namespace = TcpPort.namespace(like);
        this.closer = closer;
        this.host = host;
    }

    /**
     * The client shows what a slot's next connection comes from.
     *
     * @throws IOException if it does so in a wrong way
     */
    void learn(LinkMessage message) throws IOException {
        int slot = message.number();
        if (slot < 0 || slot >= LinkMemoryDescriptor.MAX_CONNECTIONS || message.descriptors() != 1) {
            throw new IOException("a port of slot " + slot + " with " + message.descriptors() + " descriptors");
        }
        forget(slot);
        Fd shown = message.take(0);
        InetSocketAddress address = TcpPort.boundTo(shown, namespace);
        if (address != null && slot < kept.length) {
            kept[slot] = shown;
            return;
        }
        closer.close(shown);
        if (address != null) {
            once.put(slot, address);
        }
    }

    private void forget(int slot) {
        once.remove(slot);
        if (slot < kept.length && kept[slot] != null) {
            closer.close(kept[slot]);
            kept[slot] = null;
        }
    }

    /** Whether a slot's connection comes from an address of this host's, and from a port that the client has shown. */
    boolean prove(int slot, InetSocketAddress client) throws LinuxException {
        InetSocketAddress shown = slot < kept.length ? ofKept(slot) : once.get(slot);
        return shown != null
                && shown.getPort() == client.getPort()
                && isAt(shown.getAddress(), client.getAddress())
                && host.contains(client.getAddress());
    }

    /** The client has connected: but for the first slots, it shows what the next connection comes from. */
    void taken(int slot) {
        if (slot >= kept.length) {
            once.remove(slot);
        }
    }

    private InetSocketAddress ofKept(int slot) throws LinuxException {
        // Asked again each time: whoever has the socket, too, may have disconnected it, which can cost it its port.
        return kept[slot] == null ? null : TcpPort.address(kept[slot]);
    }

    /** A program may bind to all addresses, and the connection has one of them. */
    private static boolean isAt(InetAddress bound, InetAddress address) {
        return bound.equals(address) || bound.isAnyLocalAddress();
    }

    void close() {
        for (int slot = 0; slot < kept.length; slot++) {
            forget(slot);
        }
        once.clear();
    }
}
