// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When each operation is ready, and for how long: readiness is a level, not an edge. */
class ReadinessContractTest extends Contract {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNewConnectionCanBeWrittenButNotRead(boolean turned) throws IOException {
        SocketChannel channel = side(connect(), turned).client();
        SelectionKey key = register(channel, OP_READ | OP_WRITE);
        assertEquals(OP_WRITE, select(key));
        assertEquals(OP_WRITE, select(key));
        key.interestOps(OP_READ);
        assertEquals(0, selectNow(key));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasReadInPartIsReportedAgain(boolean turned) throws IOException {
        Connection connection = side(connect(), turned);
        SelectionKey key = register(connection.client(), OP_READ);
        Bytes.send(connection.server(), "abc");
        ByteBuffer one = ByteBuffer.allocate(1);
        for (int i = 0; i < 3; i++) {
            assertEquals(OP_READ, select(key));
            assertEquals(OP_READ, select(key), "nothing was read in between");
            assertEquals(1, connection.client().read(one.clear()));
        }
        assertEquals(0, selectNow(key));
        Bytes.send(connection.server(), "d");
        assertEquals(OP_READ, select(key));
    }

    @Test
    void aLargeMessageIsReportedToItsLastByte() throws Exception {
        Connection connection = connect();
        SelectionKey key = register(connection.client(), OP_READ);
        byte[] bytes = new byte[2_000_000];
        Task<Object> writer = start(() -> {
            Bytes.send(connection.server(), bytes);
            return null;
        });
        ByteBuffer some = ByteBuffer.allocate(4099);
        for (int left = bytes.length; left > 0; ) {
            assertEquals(OP_READ, select(key));
            int n = connection.client().read(some.clear());
            assertTrue(n > 0, "ready, and nothing to read");
            left -= n;
        }
        writer.result();
        assertEquals(0, selectNow(key));
    }

    @Test
    void theEndOfTheStreamIsReadableForEver() throws IOException {
        Connection connection = connect();
        SelectionKey key = register(connection.client(), OP_READ);
        connection.server().shutdownOutput();
        for (int i = 0; i < 3; i++) {
            assertEquals(OP_READ, select(key));
            Bytes.expectEnd(connection.client());
        }
        assertEquals(1, connection.client().write(Bytes.ascii("x")));
        Bytes.expect(connection.server(), "x");
        connection.server().close();
        assertEquals(OP_READ, select(key));
    }

    @Test
    void theEndOfTheStreamComesAfterTheData() throws IOException {
        Connection connection = connect();
        SelectionKey key = register(connection.client(), OP_READ);
        Bytes.send(connection.server(), "bye");
        connection.server().close();
        ByteBuffer some = ByteBuffer.allocate(10);
        int n = 0;
        while (n >= 0) {
            assertEquals(OP_READ, select(key));
            n = connection.client().read(some);
            assertTrue(n != 0, "ready, and nothing to read");
        }
        assertEquals(Bytes.ascii("bye"), some.flip());
    }

    @Test
    void ownShutdownOfInputIsReadable() throws IOException {
        Connection connection = connect();
        SelectionKey key = register(connection.client(), OP_READ);
        connection.client().shutdownInput();
        assertEquals(OP_READ, select(key));
        Bytes.expectEnd(connection.client());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFullConnectionCanBeWrittenAgainWhenItWasRead(boolean turned) throws IOException {
        Connection connection = side(connect(), turned);
        SelectionKey key = register(connection.client(), OP_WRITE);
        ByteBuffer out = ByteBuffer.allocate(Flood.MORE_THAN_A_CONNECTION_TAKES);
        int read = 0;
        for (int round = 0; round < 3; round++) {
            while (selectNow(key) != 0) {
                Flood.fill(connection.client(), out);
            }
            Bytes.receive(connection.server(), out.position() - read);
            read = out.position();
            assertEquals(OP_WRITE, select(key));
            assertTrue(connection.client().write(out.limit(read + 10)) > 0, "ready, and no room");
            out.limit(out.capacity());
        }
    }

    @Test
    void readingAndWritingAreReportedTogetherAndApart() throws IOException {
        Connection connection = connect();
        SelectionKey key = register(connection.client(), OP_READ | OP_WRITE);
        Bytes.send(connection.server(), "x");
        Readiness.awaitReadable(connection.client());
        assertEquals(OP_READ | OP_WRITE, select(key));
        assertTrue(key.isReadable() && key.isWritable());
        key.interestOps(OP_READ);
        assertEquals(OP_READ, select(key));
        key.interestOps(OP_WRITE);
        assertEquals(OP_WRITE, select(key));
        key.interestOps(0);
        assertEquals(0, selectNow(key));
    }

    @Test
    void aBrokenConnectionIsReadyForWhatIsAsked() throws IOException {
        Connection connection = connect();
        SelectionKey key = register(connection.client(), OP_READ | OP_WRITE);
        Bytes.send(connection.client(), "unread");
        Readiness.await(server(connection), OP_READ);
        connection.server().close();
        key.interestOps(OP_READ);
        assertEquals(OP_READ, select(key));
        key.interestOps(OP_READ | OP_WRITE);
        assertEquals(OP_READ | OP_WRITE, select(key));
    }

    private static SocketChannel server(Connection connection) throws IOException {
        connection.server().configureBlocking(false);
        return connection.server();
    }

    @Test
    void aListenerIsReadyUntilEveryConnectionIsAccepted() throws IOException {
        ServerSocketChannel listener = listen();
        listener.configureBlocking(false);
        SelectionKey key = listener.register(openSelector(listener), OP_ACCEPT);
        assertEquals(0, selectNow(key));
        for (int round = 0; round < 2; round++) {
            openClient().connect(listener.getLocalAddress());
            openClient().connect(listener.getLocalAddress());
            assertEquals(OP_ACCEPT, select(key));
            assertTrue(key.isAcceptable());
            assertNotNull(closeLater(listener.accept()));
            assertEquals(OP_ACCEPT, select(key));
            assertNotNull(closeLater(listener.accept()));
            assertEquals(0, selectNow(key));
            assertNull(listener.accept());
        }
    }

    @Test
    void aSelectWaitsForAConnection() throws Exception {
        ServerSocketChannel listener = listen();
        listener.configureBlocking(false);
        SelectionKey key = listener.register(openSelector(listener), OP_ACCEPT);
        for (int i = 0; i < 3; i++) {
            Task<Integer> selecting = start(() -> select(key));
            selecting.awaitBlockedIn("select");
            SocketChannel client = openClient();
            client.connect(listener.getLocalAddress());
            assertEquals(OP_ACCEPT, selecting.result());
            Transports.check(pairing, new Connection(client, accept(listener)));
        }
    }

    @Test
    void aListenerRegisteredAfterTheConnectionIsReady() throws IOException {
        ServerSocketChannel listener = listen();
        openClient().connect(listener.getLocalAddress());
        listener.configureBlocking(false);
        SelectionKey key = listener.register(openSelector(listener), OP_ACCEPT);
        assertEquals(OP_ACCEPT, select(key));
    }

    @Test
    void aConnectionRegisteredAfterTheDataIsReady() throws IOException {
        Connection connection = connect();
        Bytes.send(connection.server(), "x");
        SelectionKey key = register(connection.client(), OP_READ);
        assertEquals(OP_READ, select(key));
    }

    @Test
    void aConnectionRegisteredBeforeItIsMadeIsServedBySameKey() throws IOException {
        ServerSocketChannel listener = listen();
        SocketChannel client = openClient();
        SelectionKey key = register(client, 0);
        SocketChannel server = acceptWhile(listener, () -> {
            client.connect(listener.getLocalAddress());
            key.interestOps(SelectionKey.OP_CONNECT);
            if (!client.isConnected()) {
                assertEquals(SelectionKey.OP_CONNECT, select(key));
                assertTrue(client.finishConnect());
            }
            return key.interestOps(OP_READ | OP_WRITE);
        });
        assertEquals(OP_WRITE, select(key));
        Transports.check(pairing, new Connection(client, server));
        key.interestOps(OP_READ);
        assertEquals(0, selectNow(key));
        Bytes.send(server, "x");
        assertEquals(OP_READ, select(key));
    }

    /**
     * The kernel reports a hang-up for a socket that was never connected, and after a hang-up every operation is ready.
     */
    @Test
    void anUnconnectedChannelIsReadyForWhateverIsAsked() throws IOException {
        for (int ops : new int[] {OP_CONNECT, OP_READ, OP_WRITE, OP_CONNECT | OP_READ | OP_WRITE}) {
            SelectionKey key = register(openClient(), ops);
            assertEquals(ops, selectNow(key));
            assertEquals(ops, select(key));
        }
    }

    @Test
    void aRefusedConnectIsReadyForWhateverIsAsked() throws IOException {
        for (int ops : new int[] {OP_CONNECT, OP_READ, OP_WRITE, OP_CONNECT | OP_READ | OP_WRITE}) {
            SocketChannel client = openClient();
            SelectionKey key = register(client, ops);
            client.connect(nobody());
            assertEquals(ops, select(key));
        }
    }

    @Test
    void aConnectThatWaitsForItsFinishIsReadyForThatOnly() throws IOException {
        ServerSocketChannel listener = listen();
        SocketChannel client = openClient();
        SelectionKey key = register(client, OP_CONNECT | OP_READ | OP_WRITE);
        client.connect(listener.getLocalAddress());
        assertEquals(OP_CONNECT, select(key));
        key.interestOps(OP_READ | OP_WRITE);
        assertEquals(0, selectNow(key));
        assertTrue(client.finishConnect());
        assertEquals(OP_WRITE, select(key));
    }

    private static Connection side(Connection connection, boolean turned) {
        return turned ? connection.turned() : connection;
    }

    private SelectionKey register(SocketChannel channel, int ops) throws IOException {
        channel.configureBlocking(false);
        return channel.register(openSelector(channel), ops);
    }

    /** Waits until a key's selector reports it, and returns its ready operations. */
    private static int select(SelectionKey key) throws IOException {
        assertEquals(1, key.selector().select());
        key.selector().selectedKeys().clear();
        return key.readyOps();
    }

    private static int selectNow(SelectionKey key) throws IOException {
        Selector selector = key.selector();
        int n = selector.selectNow();
        selector.selectedKeys().clear();
        return n == 0 ? 0 : key.readyOps();
    }
}
