// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Connecting, in every state and mode. */
class ConnectContractTest extends Contract {
    @Test
    void aNewChannelIsOpenBlockingAndNotConnected() throws IOException {
        SocketChannel channel = openClient();
        assertTrue(channel.isOpen());
        assertTrue(channel.isBlocking());
        assertFalse(channel.isConnected());
        assertFalse(channel.isConnectionPending());
        assertFalse(channel.isRegistered());
        assertNull(channel.getLocalAddress());
        assertNull(channel.getRemoteAddress());
        assertEquals(SelectionKey.OP_CONNECT | SelectionKey.OP_READ | SelectionKey.OP_WRITE, channel.validOps());
        assertEquals(pairing.providerOfClient(), channel.provider());
    }

    @Test
    void aBlockingConnectIsDoneWhenItReturns() throws IOException {
        Connection connection = connect();
        assertTrue(connection.client().isConnected());
        assertFalse(connection.client().isConnectionPending());
        assertTrue(connection.server().isConnected());
        assertFalse(connection.server().isConnectionPending());
        assertTrue(connection.client().finishConnect());
        Bytes.send(connection.client(), "ping");
        Bytes.expect(connection.server(), "ping");
        Bytes.send(connection.server(), "pong");
        Bytes.expect(connection.client(), "pong");
    }

    @Test
    void aNonBlockingConnectAnswersAsTheJdksDoes() throws IOException {
        ServerSocketChannel listener = listen();
        boolean oracle;
        try (SocketChannel jdk = pairing.kernelAtClient().openSocketChannel()) {
            jdk.configureBlocking(false);
            oracle = jdk.connect(listener.getLocalAddress());
        }
        accept(listener);
        SocketChannel client = nonBlocking();
        assertEquals(oracle, client.connect(listener.getLocalAddress()));
        assertEquals(!oracle, client.isConnectionPending());
        assertEquals(oracle, client.isConnected());
    }

    @Test
    void aNonBlockingConnectIsFinishedByAsking() throws IOException {
        ServerSocketChannel listener = listen();
        SocketChannel client = nonBlocking();
        SocketChannel server = acceptWhile(listener, () -> {
            client.connect(listener.getLocalAddress());
            Awaitility.await().until(client::finishConnect);
            assertTrue(client.isConnected());
            assertFalse(client.isConnectionPending());
            return client.finishConnect();
        });
        exchange(client, server);
    }

    @Test
    void aNonBlockingConnectIsFinishedWhenASelectorReportsIt() throws IOException {
        ServerSocketChannel listener = listen();
        SocketChannel client = nonBlocking();
        Selector selector = openSelector(client);
        SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT);
        SocketChannel server = acceptWhile(listener, () -> {
            if (!client.connect(listener.getLocalAddress())) {
                assertEquals(1, selector.select());
                assertEquals(SelectionKey.OP_CONNECT, key.readyOps());
                assertTrue(key.isConnectable());
                assertTrue(client.isConnectionPending(), "until finishConnect");
                assertTrue(client.finishConnect());
            }
            return null;
        });
        key.cancel();
        selector.selectNow();
        exchange(client, server);
    }

    @Test
    void aPendingConnectIsFinishedInBlockingMode() throws IOException {
        ServerSocketChannel listener = listen();
        SocketChannel client = nonBlocking();
        SocketChannel server = acceptWhile(listener, () -> {
            client.connect(listener.getLocalAddress());
            client.configureBlocking(true);
            return client.finishConnect();
        });
        exchange(client, server);
    }

    @Test
    void theLocalAddressIsKnownOnceAConnectIsFinished() throws IOException {
        ServerSocketChannel listener = listen();
        SocketChannel client = nonBlocking();
        SocketChannel server = acceptWhile(listener, () -> {
            if (!client.connect(listener.getLocalAddress())) {
                assertEquals(listener.getLocalAddress(), client.getRemoteAddress());
                assertNull(client.getLocalAddress());
            }
            client.configureBlocking(true);
            return client.finishConnect();
        });
        assertEquals(client.getLocalAddress(), server.getRemoteAddress());
    }

    @Test
    void whileAConnectIsPendingNothingElseCanBeDone() throws IOException {
        ServerSocketChannel listener = listen();
        SocketAddress address = listener.getLocalAddress();
        SocketChannel client = nonBlocking();
        if (client.connect(address)) {
            return;
        }
        ByteBuffer buffer = ByteBuffer.allocate(1);
        assertThrowsExactly(ConnectionPendingException.class, () -> client.connect(address));
        assertThrowsExactly(ConnectionPendingException.class, () -> client.bind(null));
        assertThrowsExactly(
                ConnectionPendingException.class, () -> client.socket().bind(null));
        assertThrowsExactly(NotYetConnectedException.class, () -> client.read(buffer));
        assertThrowsExactly(NotYetConnectedException.class, () -> client.write(buffer));
        assertThrowsExactly(NotYetConnectedException.class, client::shutdownInput);
        assertThrowsExactly(NotYetConnectedException.class, client::shutdownOutput);
        assertTrue(client.isOpen());
        Awaitility.await().until(client::finishConnect);
    }

    @Test
    void anUnconnectedChannelCannotBeUsed() throws IOException {
        SocketChannel client = openClient();
        ByteBuffer[] buffers = {ByteBuffer.allocate(1)};
        for (boolean blocking : new boolean[] {true, false}) {
            client.configureBlocking(blocking);
            assertThrowsExactly(NotYetConnectedException.class, () -> client.read(buffers[0]));
            assertThrowsExactly(NotYetConnectedException.class, () -> client.read(buffers));
            assertThrowsExactly(NotYetConnectedException.class, () -> client.write(buffers[0]));
            assertThrowsExactly(NotYetConnectedException.class, () -> client.write(buffers));
            assertThrowsExactly(NotYetConnectedException.class, client::shutdownInput);
            assertThrowsExactly(NotYetConnectedException.class, client::shutdownOutput);
            assertThrowsExactly(NoConnectionPendingException.class, client::finishConnect);
        }
        assertTrue(client.isOpen());
    }

    @Test
    void connectsOnlyOnce() throws IOException {
        ServerSocketChannel listener = listen();
        Connection connection = connect(listener);
        for (boolean blocking : new boolean[] {true, false}) {
            connection.configureBlocking(blocking);
            assertThrowsExactly(
                    AlreadyConnectedException.class, () -> connection.client().connect(listener.getLocalAddress()));
            assertThrowsExactly(
                    AlreadyConnectedException.class, () -> connection.server().connect(listener.getLocalAddress()));
        }
        assertTrue(connection.client().isConnected());
    }

    @Test
    void aRefusedConnectClosesTheChannel() throws IOException {
        OlderJdk.leaveOut(pairing.client());
        SocketAddress nobody = nobody();
        SocketChannel client = openClient();
        ConnectException e = assertThrowsExactly(ConnectException.class, () -> client.connect(nobody));
        assertEquals(Refusals.BLOCKING, e.getMessage());
        assertFalse(client.isOpen());
        assertFalse(client.isConnected());
        assertThrowsExactly(ClosedChannelException.class, () -> client.connect(nobody));
    }

    @Test
    void aRefusedNonBlockingConnectClosesTheChannelWhenItIsFinished() throws IOException {
        SocketAddress nobody = nobody();
        SocketChannel client = nonBlocking();
        ConnectException e = assertThrowsExactly(ConnectException.class, () -> {
            client.connect(nobody);
            finish(client);
        });
        assertEquals(Refusals.WAITING, e.getMessage());
        assertFalse(client.isOpen());
        assertThrowsExactly(ClosedChannelException.class, client::finishConnect);
    }

    @Test
    void aSelectorReportsARefusedConnectAsConnectable() throws IOException {
        SocketChannel client = nonBlocking();
        Selector selector = openSelector(client);
        SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT);
        assertFalse(client.connect(nobody()));
        assertEquals(1, selector.select());
        assertTrue(key.isConnectable());
        assertThrowsExactly(ConnectException.class, client::finishConnect);
        assertFalse(key.isValid());
    }

    /**
     * Each channel closes itself, and the next one gets its descriptor's number before the selector has released its
     * key.
     */
    @Test
    void aSelectorReportsRefusedConnectsOneAfterTheOther() throws IOException {
        SocketAddress nobody = nobody();
        SocketChannel client = nonBlocking();
        Selector selector = openSelector(client);
        for (int i = 0; i < 20; i++) {
            client.register(selector, SelectionKey.OP_CONNECT);
            assertFalse(client.connect(nobody));
            assertEquals(1, selector.select(20_000));
            SocketChannel refused = client;
            assertThrowsExactly(ConnectException.class, refused::finishConnect);
            selector.selectedKeys().clear();
            client = nonBlocking();
        }
    }

    /** A descriptor that the selector opens for itself meanwhile gets that number, and must stay in its set. */
    @Test
    void aRefusedConnectTakesNothingOfTheSelectorWithIt() throws IOException {
        ServerSocketChannel listener = listen();
        for (int i = 0; i < 5; i++) {
            SocketChannel refused = nonBlocking();
            Selector selector = openSelector(refused);
            Connection connection = connect(listener);
            SocketChannel other =
                    pairing.client().getClass() == pairing.server().getClass()
                            ? connection.server()
                            : connection.client();
            SocketChannel writer = other.equals(connection.server()) ? connection.client() : connection.server();
            other.configureBlocking(false);
            refused.register(selector, SelectionKey.OP_CONNECT);
            assertFalse(refused.connect(nobody()));
            assertEquals(1, selector.select(20_000));
            assertThrowsExactly(ConnectException.class, refused::finishConnect);
            selector.selectedKeys().clear();
            other.register(selector, SelectionKey.OP_READ);
            assertEquals(0, selector.select(20));
            Bytes.send(writer, "x");
            assertEquals(1, selector.select(20_000), "the bell was taken out");
        }
    }

    @Test
    void portZeroIsRefused() throws IOException {
        SocketChannel client = openClient();
        assertThrowsExactly(ConnectException.class, () -> client.connect(atServer(0)));
        assertFalse(client.isOpen());
    }

    @Test
    void addressesThatCannotBeConnectedToAreRefusedAndTheChannelStaysOpen() throws IOException {
        SocketChannel client = openClient();
        SocketChannel inet = openClient(StandardProtocolFamily.INET);
        SocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 80);
        for (boolean blocking : new boolean[] {true, false}) {
            client.configureBlocking(blocking);
            assertThrowsExactly(UnresolvedAddressException.class, () -> client.connect(unresolved));
            assertThrowsExactly(
                    UnsupportedAddressTypeException.class,
                    () -> client.connect(UnixDomainSocketAddress.of("/tmp/nowhere")));
            assertThrowsExactly(
                    UnsupportedAddressTypeException.class,
                    () -> client.connect(new SocketAddress() {
                        private static final long serialVersionUID = 1;
                    }));
            assertThrowsExactly(NullPointerException.class, () -> client.connect(null));
        }
        assertThrowsExactly(UnsupportedAddressTypeException.class, () -> inet.connect(at("::1", 80)));
        assertTrue(client.isOpen());
        assertTrue(inet.isOpen());
    }

    @Test
    void aClosedChannelDoesNotConnect() throws IOException {
        OlderJdk.leaveOut(pairing.client());
        ServerSocketChannel listener = listen();
        SocketChannel client = openClient();
        client.close();
        assertThrowsExactly(ClosedChannelException.class, () -> client.connect(listener.getLocalAddress()));
        assertThrowsExactly(ClosedChannelException.class, client::finishConnect);
    }

    @Test
    void aPendingConnectMayBeClosed() throws IOException {
        ServerSocketChannel listener = listen();
        SocketChannel client = nonBlocking();
        client.connect(listener.getLocalAddress());
        client.close();
        assertFalse(client.isConnectionPending());
        assertThrowsExactly(ClosedChannelException.class, client::finishConnect);
        // A connection that was made meanwhile is accepted, and ends.
        Bytes.expectEnd(accept(listener));
    }

    @Test
    void aConnectionIsMadeBeforeItIsAccepted() throws IOException {
        assumeConnectsBeforeAccept();
        ServerSocketChannel listener = listen();
        SocketChannel client = openClient();
        assertTrue(client.connect(listener.getLocalAddress()));
        Bytes.send(client, "early");
        client.shutdownOutput();
        SocketChannel server = accept(listener);
        Transports.check(pairing, new Connection(client, server));
        Bytes.expect(server, "early");
        Bytes.expectEnd(server);
    }

    private SocketChannel nonBlocking() throws IOException {
        SocketChannel client = openClient();
        client.configureBlocking(false);
        return client;
    }

    private void exchange(SocketChannel client, SocketChannel server) throws IOException {
        client.configureBlocking(true);
        Transports.check(pairing, new Connection(client, server));
        Bytes.send(client, "here");
        Bytes.expect(server, "here");
    }

    /** Calls finishConnect until the connect is done or fails. */
    private static void finish(SocketChannel client) throws IOException {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!client.finishConnect() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
