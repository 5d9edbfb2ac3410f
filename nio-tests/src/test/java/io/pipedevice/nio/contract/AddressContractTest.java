// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.jdk.Literals;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The addresses of both ends are real, the same at both ends, and those that the JDK's channels would have. */
class AddressContractTest extends Contract {
    @BeforeEach
    void requireOneNamespace() {
        assumeTrue(pairing != Pairing.PIPEDEVICE_DIRECT, "clients and servers have no address in common");
    }

    @Test
    void aListenerOnIpv4() throws IOException {
        agree(openServer().bind(at("127.0.0.1", 0)), Literals.address("127.0.0.1"));
    }

    @Test
    void aListenerOnIpv6() throws IOException {
        agree(openServer().bind(at("::1", 0)), Literals.address("::1"));
    }

    @Test
    void aListenerOnLocalhost() throws IOException {
        InetAddress localhost = InetAddress.getAllByName("localhost")[0];
        agree(openServer().bind(new InetSocketAddress(localhost, 0)), localhost);
    }

    @Test
    void aListenerOnAnotherLoopbackAddress() throws IOException {
        agree(openServer().bind(at("127.1.2.3", 0)), Literals.address("127.1.2.3"));
    }

    @Test
    void aListenerOnTheWildcardIsFoundAtEveryAddressOfThisHost() throws IOException {
        ServerSocketChannel listener = openServer().bind(null);
        for (InetAddress own : ownAddresses()) {
            agree(listener, own);
        }
        agree(listener, Literals.address("127.9.9.9"));
    }

    @Test
    void aListenerOnTheIpv4WildcardIsNotFoundAtIpv6() throws IOException {
        List<InetAddress> others = new ArrayList<>(ownAddresses());
        others.removeIf(Inet4Address.class::isInstance);
        ServerSocketChannel listener = listenAlone(StandardProtocolFamily.INET, null, others);
        InetSocketAddress local = (InetSocketAddress) listener.getLocalAddress();
        assertEquals(Inet4Address.class, local.getAddress().getClass());
        for (InetAddress own : ownAddresses()) {
            if (own instanceof Inet4Address) {
                agree(listener, own);
            } else {
                InetSocketAddress to = new InetSocketAddress(own, local.getPort());
                assertThrowsExactly(ConnectException.class, () -> openClient().connect(to));
            }
        }
    }

    @Test
    void aListenerOnEachOfTheHostsAddresses() throws IOException {
        for (InetAddress own : ownAddresses()) {
            agree(openServer().bind(new InetSocketAddress(own, 0)), own);
        }
    }

    @Test
    void aListenerIsFoundAtItsOwnAddressOnly() throws IOException {
        List<InetAddress> others =
                List.of(Literals.address("127.0.0.1"), Literals.address("127.0.0.3"), Literals.address("::1"));
        int port = port(listenAlone(StandardProtocolFamily.INET6, at("127.0.0.2", 0), others));
        for (InetAddress other : others) {
            InetSocketAddress to = new InetSocketAddress(other, port);
            assertThrowsExactly(ConnectException.class, () -> openClient().connect(to));
        }
    }

    /** A listener at whose port no other program listens at some other addresses: sockets have these that do not. */
    private ServerSocketChannel listenAlone(
            StandardProtocolFamily family, InetSocketAddress address, List<InetAddress> others) throws IOException {
        while (true) {
            ServerSocketChannel listener = openServer(family).bind(address);
            try {
                for (InetAddress other : others) {
                    SocketChannel holder = closeLater(pairing.kernelAtServer().openSocketChannel());
                    holder.bind(new InetSocketAddress(other, port(listener)));
                }
                return listener;
            } catch (BindException e) {
                // Another program has the port there.
                listener.close();
            }
        }
    }

    @Test
    void theWildcardIsThisHost() throws IOException {
        ServerSocketChannel listener = openServer().bind(null);
        SocketChannel client = openClient();
        client.connect(new InetSocketAddress(port(listener)));
        SocketChannel server = accept(listener);
        assertEquals(client.getRemoteAddress(), server.getLocalAddress());
        assertEquals(client.getLocalAddress(), server.getRemoteAddress());
        try (SocketChannel jdk = pairing.kernelAtClient().openSocketChannel()) {
            jdk.connect(new InetSocketAddress(port(listener)));
            accept(listener);
            assertEquals(jdk.getRemoteAddress(), client.getRemoteAddress());
            assertEquals(address(jdk), address(client));
        }
    }

    /** This holds whatever address the name of this host has. */
    @Test
    void theWildcardOfAFamilyIsItsLoopbackAddress() throws IOException {
        for (String[] pair : new String[][] {{"0.0.0.0", "127.0.0.1"}, {"::", "::1"}}) {
            ServerSocketChannel listener = openServer().bind(at(pair[1], 0));
            InetSocketAddress wildcard = at(pair[0], port(listener));
            try (SocketChannel jdk = pairing.kernelAtClient().openSocketChannel()) {
                jdk.connect(wildcard);
                accept(listener);
                assertEquals(at(pair[1], port(listener)), jdk.getRemoteAddress());
            }
            Connection connection = connect(listener, wildcard);
            assertEquals(at(pair[1], port(listener)), connection.client().getRemoteAddress());
        }
    }

    @Test
    void nothingGoesFromOneFamilyToTheOther() throws IOException {
        for (String[] pair : new String[][] {{"127.0.0.1", "::1"}, {"::1", "127.0.0.1"}}) {
            ServerSocketChannel listener = openServer().bind(null);
            InetSocketAddress to = at(pair[1], port(listener));
            String jdk;
            try (SocketChannel channel = pairing.kernelAtClient().openSocketChannel()) {
                jdk = connected(channel.bind(at(pair[0], 0)), to);
            }
            assertEquals(jdk, connected(openClient().bind(at(pair[0], 0)), to));
        }
    }

    private static String connected(SocketChannel channel, InetSocketAddress to) {
        try {
            return "connected " + channel.connect(to);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void channelsOfOneFamilyConnectWithinIt() throws IOException {
        for (ProtocolFamily family : StandardProtocolFamily.values()) {
            if (family == StandardProtocolFamily.UNIX) {
                continue;
            }
            InetAddress loopback = Literals.address(family == StandardProtocolFamily.INET ? "127.0.0.1" : "::1");
            ServerSocketChannel listener = openServer(family).bind(new InetSocketAddress(loopback, 0));
            SocketChannel client = openClient(family);
            client.connect(listener.getLocalAddress());
            SocketChannel server = accept(listener);
            Transports.check(pairing, new Connection(client, server));
            assertEquals(listener.getLocalAddress(), client.getRemoteAddress());
            assertEquals(client.getLocalAddress(), server.getRemoteAddress());
        }
    }

    @Test
    void anUnboundAddressLooksLikeTheJdks() throws IOException {
        SocketChannel client = openClient();
        client.bind(null);
        ServerSocketChannel server = openServer().bind(null);
        try (SocketChannel jdk = pairing.kernelAtClient().openSocketChannel()) {
            jdk.bind(null);
            assertEquals(address(jdk), address(client));
            assertEquals(address(jdk).getClass(), address(client).getClass());
            assertEquals(address(jdk), ((InetSocketAddress) server.getLocalAddress()).getAddress());
        }
    }

    @Test
    void everyClientHasAPortOfItsOwn() throws IOException {
        ServerSocketChannel listener = listen();
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            Connection connection = connect(listener);
            assertTrue(
                    ports.add(((InetSocketAddress) connection.client().getLocalAddress()).getPort()),
                    "a port is used twice");
        }
        assertTrue(ports.add(port(listener)), "the listener's port was given to a client");
    }

    @Test
    void aClientsPortIsReallyTaken() throws IOException {
        Connection connection = connect();
        InetSocketAddress taken = (InetSocketAddress) connection.client().getLocalAddress();
        try (ServerSocketChannel jdk = Providers.JDK.openServerSocketChannel()) {
            assertThrowsExactly(BindException.class, () -> jdk.bind(taken));
        }
    }

    /** Connects to a listener and compares the addresses at both ends with each other and with those of the JDK. */
    private void agree(ServerSocketChannel listener, InetAddress host) throws IOException {
        InetSocketAddress to = new InetSocketAddress(host, port(listener));
        Connection connection = connect(listener, to);
        assertEquals(to, connection.client().getRemoteAddress());
        assertEquals(connection.client().getRemoteAddress(), connection.server().getLocalAddress());
        assertEquals(connection.client().getLocalAddress(), connection.server().getRemoteAddress());
        try (SocketChannel jdk = pairing.kernelAtClient().openSocketChannel()) {
            jdk.connect(to);
            accept(listener);
            assertEquals(address(jdk), address(connection.client()));
        }
        connection.client().close();
        connection.server().close();
    }

    private static int port(ServerSocketChannel listener) throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    private static InetAddress address(SocketChannel channel) throws IOException {
        InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
        assertNotNull(local);
        return local.getAddress();
    }

    private static List<InetAddress> ownAddresses() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                // A link-local address is complete only with its interface.
                .filter(address -> !address.isLinkLocalAddress())
                .toList();
    }
}
