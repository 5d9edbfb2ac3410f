// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.linux.TcpConnections;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * A search for the server's end of a connection: how far it may go, and what it has found. Belongs to the driver's
 * thread.
 */
final class EndSearch {
    private final InetSocketAddress client;
    private final InetSocketAddress to;
    private final long namespace;
    private int left;
    private boolean incomplete;
    private TcpConnections.Stage found = TcpConnections.Stage.ABSENT;
    private long announcedNs;

    /**
     * @param client the client's own address
     * @param to the destination, as the client says; null if it does not
     * @param namespace the kernel's number of the network namespace of the client's socket
     * @param budget the most queries to the kernel
     */
    EndSearch(InetSocketAddress client, InetSocketAddress to, long namespace, int budget) {
        this.client = client;
        this.to = to;
        this.namespace = namespace;
        this.left = budget;
    }

    /** Whether an address is of the client's family. */
    boolean concerns(InetAddress server) {
        return server.getClass() == client.getAddress().getClass();
    }

    /** The destination, as the client says; null if it does not. */
    InetSocketAddress destination() {
        return to;
    }

    /** The kernel's number of the network namespace of the client's socket. */
    long namespace() {
        return namespace;
    }

    /** The client's own address. */
    InetSocketAddress client() {
        return client;
    }

    /** The client's address as a server sees it behind a masquerade that keeps the port. */
    InetSocketAddress clientBehind(InetAddress gateway) {
        return new InetSocketAddress(gateway, client.getPort());
    }

    /** Whether nothing further is looked at. */
    boolean isOver() {
        return found != TcpConnections.Stage.ABSENT || left < 0;
    }

    /** Whether the kernel may be asked about the next pair of addresses, which counts. */
    boolean mayLook() {
        if (isOver()) {
            return false;
        }
        left--;
        incomplete |= left < 0;
        return left >= 0;
    }

    /**
     * Takes what a process has of the connection.
     *
     * @param announced when the process said last that it has a listener, in nanoseconds
     */
    void found(TcpConnections.Stage stage, long announced) {
        found = stage;
        announcedNs = announced;
    }

    /**
     * Takes what a process has of a connection from the address of a gateway. One that a process has accepted may be
     * another client's of the gateway, or that of a program of the host.
     */
    void foundBehindGateway(TcpConnections.Stage stage, long announced) {
        if (stage == TcpConnections.Stage.HELD) {
            incomplete = true;
        } else {
            found(stage, announced);
        }
    }

    TcpConnections.Stage found() {
        return found;
    }

    /** Whether the kernel was asked about all pairs of addresses, and none is or may be of the connection. */
    boolean isAbsent() {
        return found == TcpConnections.Stage.ABSENT && !incomplete;
    }

    /** When the process that may have the connection said last that it has a listener. */
    long announcedNs() {
        return announcedNs;
    }
}
