// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ends of a stream: half-close in both directions and close in good order. */
class CloseContractTest extends Contract {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterShutdownOutputThePeerReadsWhatWasSentAndThenTheEnd(boolean turned) throws IOException {
        Connection connection = turned ? connect().turned() : connect();
        Bytes.send(connection.client(), "request");
        assertSame(connection.client(), connection.client().shutdownOutput());
        Bytes.expect(connection.server(), "request");
        Bytes.expectEnd(connection.server());
        Bytes.expectEnd(connection.server());
        // The other direction still works.
        Bytes.send(connection.server(), "answer");
        Bytes.expect(connection.client(), "answer");
        connection.server().shutdownOutput();
        Bytes.expectEnd(connection.client());
        assertTrue(connection.client().isConnected());
        assertTrue(connection.server().isOpen());
    }

    @Test
    void afterShutdownOutputNothingCanBeWritten() throws IOException {
        SocketChannel client = connect().client();
        client.shutdownOutput();
        client.shutdownOutput();
        ByteBuffer bytes = ByteBuffer.allocate(3);
        for (boolean blocking : new boolean[] {true, false}) {
            client.configureBlocking(blocking);
            assertThrows(ClosedChannelException.class, () -> client.write(bytes));
            assertThrows(ClosedChannelException.class, () -> client.write(new ByteBuffer[] {bytes, bytes}));
        }
        assertEquals(0, bytes.position());
        assertTrue(client.isOpen());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterShutdownInputOneReadsTheEnd(boolean turned) throws IOException {
        Connection connection = turned ? connect().turned() : connect();
        SocketChannel client = connection.client();
        Bytes.send(connection.server(), "never read");
        assertSame(client, client.shutdownInput());
        client.shutdownInput();
        for (boolean blocking : new boolean[] {true, false}) {
            client.configureBlocking(blocking);
            assertEquals(-1, client.read(ByteBuffer.allocate(1)));
            assertEquals(-1, client.read(new ByteBuffer[] {ByteBuffer.allocate(1)}));
            assertEquals(-1, client.read(ByteBuffer.allocate(0)));
        }
        // The peer does not notice, and the other direction still works.
        Bytes.send(connection.server(), "more");
        client.configureBlocking(true);
        Bytes.send(client, "still talking");
        Bytes.expect(connection.server(), "still talking");
    }

    @Test
    void bothDirectionsShutDownIsNotYetClosed() throws IOException {
        Connection connection = connect();
        connection.client().shutdownOutput().shutdownInput();
        assertTrue(connection.client().isOpen());
        assertTrue(connection.client().isConnected());
        assertNotNull(connection.client().getRemoteAddress());
        Bytes.expectEnd(connection.server());
        connection.server().close();
        connection.client().close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shutdownInputEndsABlockedRead(boolean direct) throws Exception {
        SocketChannel client = connect().client();
        ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(1) : ByteBuffer.allocate(1);
        Task<Integer> reader = start(() -> client.read(buffer));
        reader.awaitBlockedIn("read");
        client.shutdownInput();
        assertEquals(-1, reader.result());
        assertTrue(client.isOpen());
    }

    @Test
    void shutdownOutputEndsABlockedWrite() throws Exception {
        SocketChannel client = connect().client();
        Task<Integer> writer = start(new Flood(client).fill()::writeForEver);
        writer.awaitBlockedIn("write");
        client.shutdownOutput();
        writer.channelWasClosed();
        assertTrue(client.isOpen());
    }

    @Test
    void theEndIsReadAfterEverythingThatWasSent() throws Exception {
        Connection connection = connect();
        byte[] bytes = Bytes.random(new Random(7), 5_000_000);
        Task<byte[]> reader = start(() -> Bytes.receiveAll(connection.server()));
        Bytes.send(connection.client(), bytes);
        connection.client().close();
        assertArrayEquals(bytes, reader.result());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasTakenBeforeACloseIsDeliveredThoughNobodyReadYet(boolean blocking) throws IOException {
        Connection connection = connect();
        byte[] bytes = Bytes.random(new Random(8), 60_000);
        Bytes.send(connection.client(), bytes);
        connection.client().configureBlocking(blocking);
        connection.client().close();
        assertArrayEquals(bytes, Bytes.receiveAll(connection.server()));
    }

    @Test
    void whatFilledTheConnectionBeforeACloseIsDelivered() throws IOException {
        Connection connection = connect();
        SocketChannel client = connection.client();
        client.configureBlocking(false);
        byte[] bytes = Bytes.random(new Random(9), Flood.MORE_THAN_A_CONNECTION_TAKES);
        ByteBuffer out = ByteBuffer.wrap(bytes);
        Flood.fill(client, out);
        client.close();
        assertArrayEquals(Arrays.copyOf(bytes, out.position()), Bytes.receiveAll(connection.server()));
    }

    @Test
    void aRegisteredChannelSendsItsEndAtOnceWhenItIsClosed() throws IOException {
        Connection connection = connect();
        connection.client().configureBlocking(false);
        Selector selector = openSelector(connection.client());
        SelectionKey key = connection.client().register(selector, SelectionKey.OP_READ);
        assertEquals(0, selector.selectNow());
        connection.client().write(Bytes.ascii("bye"));
        connection.client().close();
        assertFalse(key.isValid());
        // No thread has selected since, but the peer sees the end at once.
        Bytes.expect(connection.server(), "bye");
        Bytes.expectEnd(connection.server());
    }

    @Test
    void lingeringCloseDeliversToo() throws Exception {
        Connection connection = connect();
        connection.client().setOption(StandardSocketOptions.SO_LINGER, 20);
        byte[] bytes = Bytes.random(new Random(10), 100_000);
        Bytes.send(connection.client(), bytes);
        Task<byte[]> reader = start(() -> Bytes.receiveAll(connection.server()));
        connection.client().close();
        assertArrayEquals(bytes, reader.result());
    }

    @Test
    void bothEndsMayCloseAtOnce() throws Exception {
        for (int i = 0; i < 100; i++) {
            Connection connection = connect();
            Task<Object> other = start(() -> {
                connection.server().close();
                return null;
            });
            connection.client().close();
            assertFalse(connection.client().isOpen());
            other.result();
            assertFalse(connection.server().isOpen());
        }
    }

    @Test
    void aClosedChannelRefusesEverything() throws IOException {
        OlderJdk.leaveOut(pairing.client());
        Connection connection = connect();
        SocketChannel client = connection.client();
        Selector selector = openSelector(client);
        client.close();
        client.close();
        assertFalse(client.isOpen());
        assertFalse(client.isConnected());
        assertFalse(client.isConnectionPending());
        assertFalse(client.isRegistered());
        assertTrue(client.socket().isClosed());
        ByteBuffer buffer = ByteBuffer.allocate(1);
        ByteBuffer[] buffers = {buffer};
        Executable[] calls = {
            () -> client.read(buffer),
            () -> client.read(buffers),
            () -> client.read(ByteBuffer.allocate(0)),
            () -> client.write(buffer),
            () -> client.write(buffers),
            () -> client.connect(atServer(1)),
            client::finishConnect,
            () -> client.bind(null),
            client::shutdownInput,
            client::shutdownOutput,
            client::getLocalAddress,
            client::getRemoteAddress,
            () -> client.configureBlocking(false),
            () -> client.register(selector, 0),
            () -> client.getOption(StandardSocketOptions.TCP_NODELAY),
            () -> client.setOption(StandardSocketOptions.TCP_NODELAY, true)
        };
        for (int i = 0; i < calls.length; i++) {
            assertThrowsExactly(ClosedChannelException.class, calls[i], "call " + i);
        }
        Bytes.expectEnd(connection.server());
    }
}
