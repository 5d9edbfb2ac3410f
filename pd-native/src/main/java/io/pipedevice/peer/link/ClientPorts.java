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
 * The addresses that the client of a link has proved to be its own, by sending the descriptors of sockets that hold
 * them. Used by the server; guarded by the link's lock.
 *
 * <p>For the first slots the server keeps the descriptors, so that no other process gets the port: the next connection
 * of such a slot comes from the same address without a new proof. For the other slots it keeps only the address, until
 * the connection is accepted. The server publishes in KEEPS_PORTS how many slots are the first ones: none if its budget
 * of descriptors has no room.
 */
final class ClientPorts {
    /** The most slots whose port is kept. Each costs a descriptor. */
    static final int MOST_KEPT = 16;

    /** The network namespace in which the client's sockets must be. */
    private final long namespace;

    private final DescriptorCloser closer;
    private final HostAddresses host;
    private final Fd[] kept;
    private final Map<Integer, InetSocketAddress> once = new HashMap<>();

    ClientPorts(long namespace, DescriptorCloser closer, HostAddresses host, int keeps) {
        kept = new Fd[keeps];
        this.namespace = namespace;
        this.closer = closer;
        this.host = host;
    }

    /**
     * Learns the address of a slot's next connection from a message of the client.
     *
     * @throws IOException if the message is invalid
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

    /** Whether a slot's connection comes from an address of this host, and from a port that the client has shown. */
    boolean prove(int slot, InetSocketAddress client) throws LinuxException {
        InetSocketAddress shown = slot < kept.length ? ofKept(slot) : once.get(slot);
        return shown != null
                && shown.getPort() == client.getPort()
                && isAt(shown.getAddress(), client.getAddress())
                && host.contains(client.getAddress());
    }

    /** The connection of a slot was accepted. Except for the first slots, the next one needs a new proof. */
    void taken(int slot) {
        if (slot >= kept.length) {
            once.remove(slot);
        }
    }

    private InetSocketAddress ofKept(int slot) throws LinuxException {
        // Asked again each time: the client may have disconnected the socket, which it shares, and so have lost the
        // port.
        return kept[slot] == null ? null : TcpPort.address(kept[slot]);
    }

    /**
     * Whether a socket bound to an address can have another: a program may bind to all addresses, and connect from one.
     */
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
