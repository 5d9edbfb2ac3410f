// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.jdk.Literals;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;

/** Checks of the addresses and families that a program gives. */
public final class AddressChecks {
    private static final InetAddress LOOPBACK_4 = Literals.address("127.0.0.1");
    private static final InetAddress LOOPBACK_6 = Literals.address("::1");

    private AddressChecks() {}

    /**
     * Whether PipeDevice opens the TCP channels of a family. The JDK opens those of other families, or refuses them.
     *
     * @param family may be null, which the JDK refuses
     * @return true for IPv4 and IPv6
     */
    public static boolean isInternet(ProtocolFamily family) {
        return family == StandardProtocolFamily.INET || family == StandardProtocolFamily.INET6;
    }

    /**
     * The address to connect to, loopback for the wildcard. Fails as the JDK does if a channel of the family cannot
     * connect to it.
     */
    static InetSocketAddress checkRemote(SocketAddress address, ProtocolFamily family) {
        Objects.requireNonNull(address);
        if (!(address instanceof InetSocketAddress to)) {
            throw new UnsupportedAddressTypeException();
        }
        if (to.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        if (family == StandardProtocolFamily.INET && !(to.getAddress() instanceof Inet4Address)) {
            throw new UnsupportedAddressTypeException();
        }
        if (!to.getAddress().isAnyLocalAddress()) {
            return to;
        }
        return new InetSocketAddress(to.getAddress() instanceof Inet4Address ? LOOPBACK_4 : LOOPBACK_6, to.getPort());
    }
}
