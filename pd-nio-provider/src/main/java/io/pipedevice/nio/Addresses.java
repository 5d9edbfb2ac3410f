// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;

/** The checks of addresses that channels make before anything else. */
final class Addresses {
    private Addresses() {}

    /** The address to connect to, the wildcard being this host; fails as the JDK does if it cannot be one. */
    static InetSocketAddress checkRemote(SocketAddress address, ProtocolFamily family) throws IOException {
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
        return to.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLocalHost(), to.getPort())
                : to;
    }
}
