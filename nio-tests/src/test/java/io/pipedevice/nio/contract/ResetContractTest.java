// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that do not end in an orderly way, and writing to a peer that is gone. */
class ResetContractTest extends Contract {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCloseWithUnreadDataResetsThePeer(boolean turned) throws IOException {
        Connection connection = turned ? connect().turned() : connect();
        SocketChannel client = connection.client();
        Bytes.send(client, "nobody will read this");
        awaitArrival(connection.server());
        connection.server().close();
        isReset(client);
        isReset(client);
        client.configureBlocking(false);
        isReset(client);
        assertTrue(client.isOpen());
        brokenPipe(client);
    }

    @Test
    void aCloseAfterSomeWasReadResetsThePeerToo() throws IOException {
        Connection connection = connect();
        Bytes.send(connection.client(), "half of this");
        Bytes.expect(connection.server(), "half");
        connection.server().close();
        isReset(connection.client());
    }

    @Test
    void whatArrivedBeforeAResetIsRead() throws IOException {
        Connection connection = connect();
        Bytes.send(connection.server(), "last words");
        Bytes.send(connection.client(), "unread");
        awaitArrival(connection.client());
        awaitArrival(connection.server());
        connection.server().close();
        Bytes.expect(connection.client(), "last words");
        isReset(connection.client());
    }

    @Test
    void lingeringForNoTimeResetsThePeer() throws IOException {
        Connection connection = connect();
        connection.server().setOption(StandardSocketOptions.SO_LINGER, 0);
        connection.server().close();
        isReset(connection.client());
    }

    @Test
    void aResetWakesABlockedReader() throws Exception {
        Connection connection = connect();
        Bytes.send(connection.client(), "unread");
        awaitArrival(connection.server());
        Task<Integer> reader = start(() -> connection.client().read(ByteBuffer.allocate(1)));
        reader.awaitBlockedIn("read");
        connection.server().close();
        assertEquals("Connection reset", reader.failure(SocketException.class).getMessage());
    }

    @Test
    void aResetWakesABlockedWriter() throws Exception {
        Connection connection = connect();
        Task<Integer> writer = start(new Flood(connection.client()).fill()::writeForEver);
        writer.awaitBlockedIn("write");
        connection.server().close();
        assertPeerHasGone(writer.failure(IOException.class));
    }

    @Test
    void aSelectorReportsAResetAsReadable() throws IOException {
        Connection connection = connect();
        connection.client().configureBlocking(false);
        Selector selector = openSelector(connection.client());
        SelectionKey key = connection.client().register(selector, SelectionKey.OP_READ);
        connection.client().write(Bytes.ascii("unread"));
        awaitArrival(connection.server());
        connection.server().close();
        assertEquals(1, selector.select());
        assertTrue(key.isReadable());
        isReset(connection.client());
    }

    @Test
    void theFirstWriteAfterAResetReportsItAndTheNextOnesABrokenPipe() throws IOException {
        Connection connection = connect();
        Bytes.send(connection.client(), "unread");
        awaitArrival(connection.server());
        connection.client().configureBlocking(false);
        try (Selector selector = connection.client().provider().openSelector()) {
            connection.client().register(selector, SelectionKey.OP_READ);
            connection.server().close();
            assertEquals(1, selector.select());
        }
        IOException first =
                assertThrowsExactly(IOException.class, () -> connection.client().write(Bytes.ascii("x")));
        assertEquals("Connection reset by peer", first.getMessage());
        brokenPipe(connection.client());
        assertEquals(-1, connection.client().read(ByteBuffer.allocate(1)), "the reset is reported once");
    }

    @Test
    void writingToAPeerThatHasClosedBreaksThePipe() throws IOException {
        Connection connection = connect();
        connection.server().close();
        Bytes.expectEnd(connection.client());
        // The number of writes that succeed until then depends on the kernel's timing.
        AtomicReference<IOException> error = new AtomicReference<>();
        Awaitility.await().until(() -> {
            try {
                connection.client().write(Bytes.ascii("x"));
                return false;
            } catch (IOException e) {
                error.set(e);
                return true;
            }
        });
        assertEquals(IOException.class, error.get().getClass());
        assertPeerHasGone(error.get());
        brokenPipe(connection.client());
        assertEquals(-1, connection.client().read(ByteBuffer.allocate(1)));
        assertTrue(connection.client().isOpen());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aGatheringWriteToAPeerThatHasClosedIsOneWrite(boolean blocking) throws IOException {
        Connection connection = connect();
        connection.server().close();
        Bytes.expectEnd(connection.client());
        connection.client().configureBlocking(blocking);
        ByteBuffer[] parts = {Bytes.ascii("nobody"), Bytes.ascii("will"), Bytes.ascii("read"), Bytes.ascii("this")};
        assertEquals(18, connection.client().write(parts));
        assertEquals(4, parts[3].position());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNonBlockingWriteAfterShutdownOutputConsumesAReset(boolean blocking) throws IOException {
        Connection connection = connect();
        Bytes.send(connection.client(), "unread");
        awaitArrival(connection.server());
        connection.server().close();
        awaitArrival(connection.client());
        connection.client().shutdownOutput();
        connection.client().configureBlocking(blocking);
        assertThrows(ClosedChannelException.class, () -> connection.client().write(Bytes.ascii("x")));
        if (blocking) {
            isReset(connection.client());
        } else {
            Bytes.expectEnd(connection.client());
        }
    }

    @Test
    void aResetAfterTheEndOfTheStreamIsReadAsTheEnd() throws IOException {
        Connection connection = connect();
        Bytes.send(connection.server(), "last words");
        connection.server().shutdownOutput();
        Bytes.send(connection.client(), "unread");
        awaitArrival(connection.server());
        connection.server().close();
        Bytes.expect(connection.client(), "last words");
        Bytes.expectEnd(connection.client());
        Awaitility.await().until(() -> writeFails(connection.client()));
        brokenPipe(connection.client());
    }

    private static boolean writeFails(SocketChannel channel) {
        try {
            channel.write(Bytes.ascii("x"));
            return false;
        } catch (IOException e) {
            assertEquals("Broken pipe", e.getMessage());
            return true;
        }
    }

    /**
     * The write is answered by a reset. The key of a connection that has failed is ready for all operations in its
     * interest set, and for no others.
     */
    @Test
    void aWriteToAPeerThatHasClosedEndsWhatWasReadyBefore() throws IOException {
        Connection connection = connect();
        SocketChannel client = connection.client();
        client.configureBlocking(false);
        Selector selector = openSelector(client);
        SelectionKey key = client.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        connection.server().close();
        awaitReady(selector, key, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        client.write(Bytes.ascii("nobody reads this"));
        key.interestOps(SelectionKey.OP_WRITE);
        awaitReady(selector, key, SelectionKey.OP_WRITE);
    }

    /** Like epoll's EPOLLHUP: when both directions have ended, operations that were ready before are forgotten. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theEndOfBothDirectionsEndsWhatWasReadyBefore(boolean endComes) throws IOException {
        Connection connection = connect();
        SocketChannel client = connection.client();
        client.configureBlocking(false);
        Selector selector = openSelector(client);
        SelectionKey key = client.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        if (endComes) {
            connection.server().shutdownOutput();
        } else {
            client.shutdownInput();
        }
        awaitReady(selector, key, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        client.shutdownOutput();
        key.interestOps(SelectionKey.OP_READ);
        awaitReady(selector, key, SelectionKey.OP_READ);
    }

    /** Selects until a key, which stays selected, is ready for exactly these operations. */
    private static void awaitReady(Selector selector, SelectionKey key, int ops) {
        Awaitility.await().until(() -> {
            selector.selectNow();
            return key.readyOps() == ops;
        });
    }

    /**
     * Bytes that have arrived are not answered by a reset, only bytes that come when both directions are shut. The end
     * comes before the reset.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPeerThatShutsBothDirectionsWithUnreadDataIsReadToItsEnd(boolean writes) throws IOException {
        Connection connection = connect();
        Bytes.send(connection.server(), "last words");
        Bytes.send(connection.client(), "unread");
        awaitArrival(connection.server());
        connection.server().shutdownInput().shutdownOutput();
        if (writes) {
            Awaitility.await().until(() -> writeFails(connection.client()));
        }
        Bytes.expect(connection.client(), "last words");
        Bytes.expectEnd(connection.client());
        connection.server().close();
        Bytes.expectEnd(connection.client());
        Awaitility.await().until(() -> writeFails(connection.client()));
        brokenPipe(connection.client());
    }

    /**
     * The descriptor stays open until its selector releases it, so that the peer sees the end first, and then the
     * reset.
     */
    @Test
    void aCloseOfARegisteredChannelWithUnreadDataIsFirstAnEnd() throws IOException {
        Connection connection = connect();
        connection.server().configureBlocking(false);
        Selector selector = openSelector(connection.server());
        connection.server().register(selector, SelectionKey.OP_READ);
        Bytes.send(connection.client(), "unread");
        assertEquals(1, selector.select());
        connection.server().close();
        Bytes.expectEnd(connection.client());
        Bytes.send(connection.client(), "unread too");
        selector.selectNow();
        Awaitility.await().until(() -> writeFails(connection.client()));
        Bytes.expectEnd(connection.client());
    }

    /**
     * The channel is in blocking mode, and so has no valid key. While a selector has the cancelled key, the peer is not
     * notified.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCloseInBlockingModeReachesThePeerWhenTheSelectorHasDeregisteredTheKey(boolean unread) throws IOException {
        Connection connection = connect();
        SocketChannel server = connection.server();
        Selector selector = openSelector(server);
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_READ).cancel();
        server.configureBlocking(true);
        if (unread) {
            Bytes.send(connection.client(), "unread");
            awaitArrival(server);
        }
        server.close();
        connection.client().configureBlocking(false);
        assertEquals(0, connection.client().read(ByteBuffer.allocate(1)));
        selector.selectNow();
        connection.client().configureBlocking(true);
        if (unread) {
            isReset(connection.client());
        } else {
            Bytes.expectEnd(connection.client());
        }
    }

    private static void isReset(SocketChannel channel) throws IOException {
        if (!channel.isBlocking()) {
            Readiness.awaitReadable(channel);
        }
        SocketException e = assertThrowsExactly(SocketException.class, () -> channel.read(ByteBuffer.allocate(10)));
        assertEquals("Connection reset", e.getMessage());
    }

    private static void brokenPipe(SocketChannel channel) {
        IOException e = assertThrowsExactly(IOException.class, () -> channel.write(Bytes.ascii("x")));
        assertEquals("Broken pipe", e.getMessage());
        IOException gather = assertThrowsExactly(
                IOException.class, () -> channel.write(new ByteBuffer[] {Bytes.ascii("x"), Bytes.ascii("y")}));
        assertEquals("Broken pipe", gather.getMessage());
        assertDoesNotThrow(() -> channel.write(ByteBuffer.allocate(0)), "nothing is written");
    }

    private static void assertPeerHasGone(IOException e) {
        assertTrue(
                "Broken pipe".equals(e.getMessage()) || "Connection reset by peer".equals(e.getMessage()), e::toString);
    }

    /** Waits until there are bytes to read, without reading them. */
    private static void awaitArrival(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        Readiness.awaitReadable(channel);
        channel.configureBlocking(true);
    }

    @Test
    void aResetDuringAPartialWriteIsReportedToTheNext() throws Exception {
        Connection connection = connect();
        ByteBuffer much = ByteBuffer.allocate(32 << 20);
        Task<Integer> writer = start(() -> connection.client().write(much));
        writer.awaitBlockedIn("write");
        connection.server().close();
        int taken = writer.result();
        assertTrue(taken > 0 && taken < much.capacity(), () -> "took " + taken);
        IOException next =
                assertThrowsExactly(IOException.class, () -> connection.client().write(Bytes.ascii("x")));
        assertEquals("Connection reset by peer", next.getMessage());
        brokenPipe(connection.client());
    }
}
