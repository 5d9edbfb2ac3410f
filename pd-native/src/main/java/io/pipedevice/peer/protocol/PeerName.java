// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

import io.pipedevice.linux.UnixAddress;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * The names of the Unix sockets of listeners: {@code pipedevice-VERSION/ADDRESS/PORT}, where ADDRESS is {@code any4}
 * for all IPv4 addresses and {@code any} for all addresses.
 */
public final class PeerName {
    /** The beginning of every name. */
    public static final String PREFIX = "pipedevice-" + LinkMemoryDescriptor.VERSION + "/";

    private static final String ANY4 = "any4";
    private static final String ANY = "any";

    private PeerName() {}

    /**
     * The name of the listener at an address.
     *
     * @param listening its address, with the port
     * @return the name
     */
    public static UnixAddress of(InetSocketAddress listening) {
        InetAddress address = listening.getAddress();
        if (address.isAnyLocalAddress()) {
            return name(address instanceof Inet4Address ? ANY4 : ANY, listening.getPort());
        }
        return name(text(address), listening.getPort());
    }

    /**
     * The name of the listener at all IPv4 addresses.
     *
     * @param port the listener's
     * @return the name
     */
    public static UnixAddress anyOfV4(int port) {
        return name(ANY4, port);
    }

    /**
     * The names of the listeners that serve an address of this host, in the kernel's order of preference.
     *
     * @param target of a connection
     * @return one or more
     */
    public static List<UnixAddress> candidates(InetSocketAddress target) {
        InetAddress address = specific(target.getAddress());
        int port = target.getPort();
        UnixAddress exact = name(text(address), port);
        return address instanceof Inet4Address
                ? List.of(exact, name(ANY4, port), name(ANY, port))
                : List.of(exact, name(ANY, port));
    }

    /**
     * Whether a listener serves connections to an address.
     *
     * @param listening the listener's address
     * @param target of the connection
     * @return false if it belongs to another listener
     */
    public static boolean serves(InetSocketAddress listening, InetSocketAddress target) {
        InetAddress address = target.getAddress();
        if (listening.getPort() != target.getPort() || !isOfAHost(address)) {
            return false;
        }
        if (listening.getAddress().isAnyLocalAddress()) {
            return listening.getAddress() instanceof Inet6Address || address instanceof Inet4Address;
        }
        // Not equals(): the scope of an IPv6 address is not transmitted.
        return Arrays.equals(address.getAddress(), listening.getAddress().getAddress());
    }

    /** Whether an end of a connection can have an address. */
    static boolean isOfAHost(InetAddress address) {
        return !address.isAnyLocalAddress() && !address.isMulticastAddress();
    }

    /**
     * The address that a connection to a target reaches: loopback for the wildcard address.
     *
     * @param address the target
     * @return the address, or loopback
     */
    public static InetAddress specific(InetAddress address) {
        if (!address.isAnyLocalAddress()) {
            return address;
        }
        byte[] loopback = new byte[address.getAddress().length];
        if (address instanceof Inet4Address) {
            loopback[0] = 127;
        }
        loopback[loopback.length - 1] = 1;
        try {
            return InetAddress.getByAddress(loopback);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are addresses", e);
        }
    }

    private static String text(InetAddress address) {
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        if (scope < 0) {
            return text;
        }
        // Only link-local addresses need the scope. Its number, unlike its name, is the same for all processes.
        return address.isLinkLocalAddress()
                ? text.substring(0, scope + 1) + ((Inet6Address) address).getScopeId()
                : text.substring(0, scope);
    }

    private static UnixAddress name(String address, int port) {
        return UnixAddress.abstractName(PREFIX + address + "/" + port);
    }
}
