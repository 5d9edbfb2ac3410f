// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.socket;

import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.Endpoint;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.linux.Errno;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The addresses of clients. Belongs to the driver's thread. */
final class Bindings {
    private final PortTable ports;

    Bindings(PortTable ports) {
        this.ports = ports;
    }

    /** The address that a client has chosen; null if the driver will choose one. */
    static InetAddress addressOf(Endpoint client) {
        return client == null
                        || client.local() == null
                        || client.local().getAddress().isAnyLocalAddress()
                ? null
                : client.local().getAddress();
    }

    /** Gives a client that connects the address that its peer sees. */
    void bind(Endpoint client, AttachedProcess listener, InetSocketAddress peer) throws Refusal {
        if (client.local() != null && !client.local().getAddress().isAnyLocalAddress()) {
            if (!ports.mayComeFrom(client.process, listener, client.local().getAddress())) {
                throw notRouted();
            }
            return;
        }
        InetAddress source = ports.source(client.process, listener, peer.getAddress());
        if (source == null) {
            throw notRouted();
        }
        if (client.local() != null) {
            client.local(new InetSocketAddress(source, client.local().getPort()));
        } else if (!ports.bind(client, new InetSocketAddress(source, 0))) {
            throw new Refusal(Errno.EADDRNOTAVAIL, "no ephemeral port is free");
        }
    }

    /** Undoes {@link #bind}: a failed connect leaves the socket unchanged. */
    void undo(Endpoint client, InetSocketAddress bound) {
        if (bound == null) {
            ports.remove(client);
        }
        client.local(bound);
    }

    private static Refusal notRouted() {
        return new Refusal(
                Errno.ECONNREFUSED, "the driver's network namespace has no route to an address of the process");
    }

    /** A connection to the wildcard address goes to the loopback address. */
    static InetAddress target(InetAddress address) {
        return address.isAnyLocalAddress() ? Identity.loopbackLike(address) : address;
    }
}
