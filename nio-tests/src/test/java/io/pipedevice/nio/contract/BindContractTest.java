// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Binding both kinds of channels, listening and accepting. */
class BindContractTest extends Contract {
    private static final SocketAddress UNRESOLVED = InetSocketAddress.createUnresolved("nowhere.invalid", 80);
    private static final SocketAddress UNIX = UnixDomainSocketAddress.of("/tmp/nowhere");
    /** Reserved for documentation: no host has it. */
    private static final InetSocketAddress ELSEWHERE = at("203.0.113.1", 0);

    @Test
    void aNewServerIsOpenBlockingAndNotBound() throws IOException {
        ServerSocketChannel server = openServer();
        assertTrue(server.isOpen());
        assertTrue(server.isBlocking());
        assertNull(server.getLocalAddress());
        assertEquals(SelectionKey.OP_ACCEPT, server.validOps());
        assertEquals(pairing.providerOfServer(), server.provider());
        assertThrowsExactly(NotYetBoundException.class, server::accept);
        server.configureBlocking(false);
        assertThrowsExactly(NotYetBoundException.class, server::accept);
        assertTrue(server.isOpen());
    }

    @Test
    void theKernelChoosesAPort() throws IOException {
        ServerSocketChannel server = openServer();
        assertSame(server, server.bind(null));
        InetSocketAddress any = (InetSocketAddress) server.getLocalAddress();
        assertTrue(any.getAddress().isAnyLocalAddress());
        assertNotEquals(0, any.getPort());

        InetSocketAddress loopback = (InetSocketAddress) listen().getLocalAddress();
        assertEquals(pairing.serverHost(), loopback.getAddress());
        assertNotEquals(any.getPort(), loopback.getPort());
    }

    @Test
    void aServerIsBoundOnce() throws IOException {
        ServerSocketChannel server = listen();
        SocketAddress address = server.getLocalAddress();
        assertThrowsExactly(AlreadyBoundException.class, () -> server.bind(atServer(0)));
        assertThrowsExactly(AlreadyBoundException.class, () -> server.bind(null));
        assertEquals(address, server.getLocalAddress());
    }

    @Test
    void aClosedServerIsOfNoUse() throws IOException {
        OlderJdk.leaveOut(pairing.server());
        ServerSocketChannel server = openServer();
        server.close();
        server.close();
        assertThrowsExactly(ClosedChannelException.class, () -> server.bind(null));
        assertThrowsExactly(ClosedChannelException.class, server::accept);
        assertThrowsExactly(ClosedChannelException.class, server::getLocalAddress);
        assertThrowsExactly(ClosedChannelException.class, () -> server.configureBlocking(false));
    }

    @Test
    void addressesThatCannotBeListenedOnAreRefused() throws IOException {
        ServerSocketChannel server = openServer();
        ServerSocketChannel inet = openServer(StandardProtocolFamily.INET);
        assertThrowsExactly(UnresolvedAddressException.class, () -> server.bind(UNRESOLVED));
        assertThrowsExactly(UnsupportedAddressTypeException.class, () -> server.bind(UNIX));
        assertThrowsExactly(UnsupportedAddressTypeException.class, () -> inet.bind(at("::1", 0)));
        BindException e = assertThrowsExactly(BindException.class, () -> server.bind(ELSEWHERE));
        assertEquals("Cannot assign requested address", e.getMessage());
        // The channel is still usable after all of that.
        server.bind(atServer(0));
        connect(server);
    }

    @Test
    void anAddressInUseIsRefused() throws IOException {
        InetSocketAddress used = (InetSocketAddress) listen().getLocalAddress();
        ServerSocketChannel server = openServer();
        BindException e = assertThrowsExactly(BindException.class, () -> server.bind(used));
        assertEquals("Address already in use", e.getMessage());
        assertThrowsExactly(BindException.class, () -> server.bind(new InetSocketAddress(used.getPort())));
        assertNull(server.getLocalAddress());
        try (ServerSocketChannel jdk = Providers.JDK.openServerSocketChannel()) {
            assertThrowsExactly(BindException.class, () -> jdk.bind(used));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000_000_000, Integer.MAX_VALUE, 0, -1, Integer.MIN_VALUE})
    void anyBacklogCarriesAnyStream(int backlog) throws Exception {
        ServerSocketChannel server = openServer().bind(atServer(0), backlog);
        Connection connection = connect(server);
        byte[] sent = Bytes.random(Bytes.seeded("anyBacklogCarriesAnyStream"), 4 << 20);
        for (Connection each : List.of(connection, connection.turned())) {
            Task<Void> sender = start(() -> {
                Bytes.send(each.client(), sent);
                return null;
            });
            Bytes.expect(each.server(), sent);
            sender.result();
        }
    }

    @Test
    void aPortIsFreeAgainAfterClose() throws IOException {
        ServerSocketChannel first = listen();
        InetSocketAddress address = (InetSocketAddress) first.getLocalAddress();
        Connection connection = connect(first);
        first.close();
        assertThrowsExactly(ConnectException.class, () -> openClient().connect(address));

        ServerSocketChannel second = openServer().bind(address);
        assertEquals(address, second.getLocalAddress());
        Connection another = connect(second);
        Bytes.send(connection.client(), "old");
        Bytes.send(another.client(), "new");
        Bytes.expect(another.server(), "new");
        Bytes.expect(connection.server(), "old");
    }

    /** The JDK keeps the port until the next selection. */
    @Test
    void aClosedListenerThatIsRegisteredFreesItsPort() throws IOException {
        ServerSocketChannel first = listen();
        InetSocketAddress address = (InetSocketAddress) first.getLocalAddress();
        Selector selector = openSelector(first);
        first.configureBlocking(false);
        first.register(selector, SelectionKey.OP_ACCEPT);
        selector.selectNow();
        first.close();
        if (pairing.server().equals(Providers.JDK)) {
            assertThrowsExactly(BindException.class, () -> openServer().bind(address));
            selector.selectNow();
        }
        assertEquals(address, openServer().bind(address).getLocalAddress());
    }

    @Test
    void twoServersMayShareAPortAtDifferentAddresses() throws IOException {
        ServerSocketChannel one = listen();
        int port = ((InetSocketAddress) one.getLocalAddress()).getPort();
        ServerSocketChannel other = openServer().bind(at("127.0.0.2", port));
        Connection toOther = connect(other);
        Connection toOne = connect(one);
        Bytes.send(toOther.client(), "other");
        Bytes.send(toOne.client(), "one");
        Bytes.expect(toOne.server(), "one");
        Bytes.expect(toOther.server(), "other");
    }

    @Test
    void twoServersMayShareAnAddressIfBothAllowIt() throws IOException {
        ServerSocketChannel one = openServer();
        ServerSocketChannel other = openServer();
        one.setOption(StandardSocketOptions.SO_REUSEPORT, true).bind(atServer(0));
        other.setOption(StandardSocketOptions.SO_REUSEPORT, true).bind(one.getLocalAddress());
        one.configureBlocking(false);
        other.configureBlocking(false);
        for (int i = 0; i < 20; i++) {
            openClient().connect(one.getLocalAddress());
        }
        int[] accepted = {0};
        Awaitility.await().until(() -> {
            for (ServerSocketChannel server : new ServerSocketChannel[] {one, other}) {
                for (SocketChannel next = server.accept(); next != null; next = server.accept()) {
                    closeLater(next);
                    accepted[0]++;
                }
            }
            return accepted[0] == 20;
        });
    }

    @Test
    void anAcceptedChannelIsBlockingAndConnected() throws IOException {
        for (boolean blocking : new boolean[] {true, false}) {
            ServerSocketChannel server = listen();
            SocketChannel client = openClient();
            client.connect(server.getLocalAddress());
            server.configureBlocking(blocking);
            SocketChannel accepted = awaitAccept(server);
            assertTrue(accepted.isBlocking());
            assertTrue(accepted.isConnected());
            assertFalse(accepted.isConnectionPending());
            assertEquals(pairing.providerOfServer(), accepted.provider());
            assertThrowsExactly(AlreadyBoundException.class, () -> accepted.bind(null));
        }
    }

    @Test
    void withNobodyThereANonBlockingAcceptGivesNothing() throws IOException {
        ServerSocketChannel server = listen();
        server.configureBlocking(false);
        assertNull(server.accept());
        openClient().connect(server.getLocalAddress());
        closeLater(awaitAccept(server));
        assertNull(server.accept());
    }

    @Test
    void connectionsAreAcceptedInTheOrderTheyWereMade() throws IOException {
        ServerSocketChannel server = listen();
        SocketChannel[] clients = new SocketChannel[10];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = openClient();
            clients[i].connect(server.getLocalAddress());
        }
        for (SocketChannel client : clients) {
            assertEquals(client.getLocalAddress(), accept(server).getRemoteAddress());
        }
    }

    @Test
    void aClientThatHasGoneIsAcceptedWithWhatItSent() throws IOException {
        ServerSocketChannel server = listen();
        try (SocketChannel client = openClient()) {
            client.connect(server.getLocalAddress());
            Bytes.send(client, "farewell");
        }
        SocketChannel accepted = accept(server);
        Bytes.expect(accepted, "farewell");
        Bytes.expectEnd(accepted);
    }

    @Test
    void aServerThatClosesResetsConnectionsThatWereNotAccepted() throws IOException {
        ServerSocketChannel server = listen();
        SocketChannel client = openClient();
        client.connect(server.getLocalAddress());
        server.close();
        SocketException e = assertThrowsExactly(SocketException.class, () -> client.read(ByteBuffer.allocate(1)));
        assertEquals("Connection reset", e.getMessage());
    }

    @Test
    void moreClientsThanTheBacklogAreServedInTheEnd() throws Exception {
        ServerSocketChannel server = openServer().bind(atServer(0), 1);
        List<SocketChannel> clients = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            SocketChannel client = openClient();
            client.configureBlocking(false);
            client.connect(server.getLocalAddress());
            clients.add(client);
        }
        Task<Integer> accepting = start(() -> {
            int sum = 0;
            for (int i = 0; i < 5; i++) {
                sum += Bytes.receive(accept(server), 1)[0];
            }
            return sum;
        });
        for (int i = 0; i < 5; i++) {
            clients.get(i).configureBlocking(true);
            assertTrue(clients.get(i).finishConnect());
            // If the kernel had to drop the last packet of a client's handshake, it accepts the client when data
            // arrive.
            Bytes.send(clients.get(i), new byte[] {(byte) i});
        }
        assertEquals(0 + 1 + 2 + 3 + 4, accepting.result());
    }

    @Test
    void aClientMayBeBoundBeforeItConnects() throws IOException {
        ServerSocketChannel server = listen();
        SocketChannel client = openClient();
        assertSame(client, client.bind(atClient(0)));
        SocketAddress bound = client.getLocalAddress();
        assertNull(client.getRemoteAddress());
        SocketChannel accepted = acceptWhile(server, () -> client.connect(server.getLocalAddress()));
        Transports.check(pairing, new Connection(client, accepted));
        assertEquals(bound, client.getLocalAddress());
        assertEquals(bound, accepted.getRemoteAddress());
    }

    @Test
    void aClientIsBoundOnce() throws IOException {
        SocketChannel client = openClient();
        client.bind(null);
        assertThrowsExactly(AlreadyBoundException.class, () -> client.bind(atClient(0)));
        SocketChannel connected = connect().client();
        assertThrowsExactly(AlreadyBoundException.class, () -> connected.bind(null));
        client.close();
        assertThrowsExactly(ClosedChannelException.class, () -> client.bind(null));
    }

    @Test
    void addressesThatAClientCannotHaveAreRefused() throws IOException {
        SocketChannel client = openClient();
        SocketChannel inet = openClient(StandardProtocolFamily.INET);
        assertThrowsExactly(UnresolvedAddressException.class, () -> client.bind(UNRESOLVED));
        assertThrowsExactly(UnsupportedAddressTypeException.class, () -> client.bind(UNIX));
        assertThrowsExactly(UnsupportedAddressTypeException.class, () -> inet.bind(at("::1", 0)));
        BindException elsewhere = assertThrowsExactly(BindException.class, () -> client.bind(ELSEWHERE));
        assertEquals("Cannot assign requested address", elsewhere.getMessage());
        ServerSocketChannel listener = closeLater(pairing.kernelAtClient().openServerSocketChannel());
        SocketAddress used = listener.bind(atClient(0)).getLocalAddress();
        BindException e = assertThrowsExactly(BindException.class, () -> client.bind(used));
        assertEquals("Address already in use", e.getMessage());
        client.bind(atClient(0));
    }

    private SocketChannel awaitAccept(ServerSocketChannel server) {
        SocketChannel[] accepted = {null};
        Awaitility.await().until(() -> {
            accepted[0] = server.accept();
            return accepted[0] != null;
        });
        return closeLater(accepted[0]);
    }
}
