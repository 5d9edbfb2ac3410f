// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A channel whose connection goes to a Unix-domain socket behaves as one of TCP of the JDK, which is the oracle. */
@ParameterizedClass(name = "{0}")
@EnumSource(names = {"JDK_JDK", "PIPEDEVICE_RULE"})
@Timeout(60)
class UnixRuleContractTest extends TidyTest {
    /** More than any transport buffers. */
    private static final int TOO_MUCH = 16 << 20;

    @Parameter
    Pairing pairing;

    private ServerSocketChannel listen() throws IOException {
        return closeLater(pairing.server().openServerSocketChannel()).bind(Contract.loopback(0));
    }

    private Connection connect() throws IOException {
        ServerSocketChannel listener = listen();
        SocketChannel client = closeLater(pairing.client().openSocketChannel());
        assertTrue(client.connect(listener.getLocalAddress()));
        assertEquals(
                pairing == Pairing.PIPEDEVICE_RULE,
                client.toString().endsWith(" kernel (unix rule)]"),
                client::toString);
        return new Connection(client, closeLater(listener.accept()));
    }

    @Test
    void addressesAreThoseOfTcp() throws IOException {
        ServerSocketChannel listener = listen();
        SocketChannel client = closeLater(pairing.client().openSocketChannel());
        client.connect(listener.getLocalAddress());
        assertEquals(listener.getLocalAddress(), client.getRemoteAddress());
        InetSocketAddress local = (InetSocketAddress) client.getLocalAddress();
        assertEquals(Contract.LOOPBACK, local.getAddress());
        assertEquals(local.getPort(), client.socket().getLocalPort());
        assertEquals(listener.getLocalAddress(), client.socket().getRemoteSocketAddress());
        try (ServerSocketChannel other = Providers.JDK.openServerSocketChannel()) {
            other.setOption(StandardSocketOptions.SO_REUSEADDR, false);
            assertThrowsExactly(BindException.class, () -> other.bind(local));
        }
        client.close();
        assertThrowsExactly(ClosedChannelException.class, client::getLocalAddress);
    }

    @Test
    void aBoundChannelKeepsItsPort() throws IOException {
        SocketChannel client = closeLater(pairing.client().openSocketChannel());
        client.bind(Contract.loopback(0));
        InetSocketAddress bound = (InetSocketAddress) client.getLocalAddress();
        client.connect(listen().getLocalAddress());
        assertEquals(bound, client.getLocalAddress());
    }

    @Test
    void bytesGoBothWays() throws Exception {
        Connection connection = connect();
        byte[] much = Bytes.random(new Random(1), 3 << 20);
        Task<Integer> writer = start(() -> connection.client().write(ByteBuffer.wrap(much)));
        Bytes.expect(connection.server(), much);
        assertEquals(much.length, writer.result());
        ByteBuffer[] parts = {Bytes.ascii("ab"), ByteBuffer.allocateDirect(0), Bytes.ascii("cd")};
        assertEquals(4, connection.server().write(parts));
        ByteBuffer[] targets = {ByteBuffer.allocate(1), ByteBuffer.allocateDirect(3)};
        long count = 0;
        while (count < 4) {
            count += connection.client().read(targets);
        }
        assertEquals('a', targets[0].get(0));
        assertEquals('d', targets[1].get(2));
    }

    @Test
    void anAsynchronousChannelConnectsAndExchangesBytes() throws Exception {
        ServerSocketChannel listener = listen();
        AsynchronousSocketChannel client =
                closeLater(AsynchronousProviders.of(pairing.client()).openAsynchronousSocketChannel(null));
        client.connect(listener.getLocalAddress()).get(20, TimeUnit.SECONDS);
        assertEquals(listener.getLocalAddress(), client.getRemoteAddress());
        assertEquals(Contract.LOOPBACK, ((InetSocketAddress) client.getLocalAddress()).getAddress());
        SocketChannel server = closeLater(listener.accept());
        byte[] much = Bytes.random(new Random(1), 3 << 20);
        Task<Void> reader = start(() -> {
            Bytes.expect(server, much);
            return null;
        });
        ByteBuffer left = ByteBuffer.wrap(much);
        while (left.hasRemaining()) {
            client.write(left).get(20, TimeUnit.SECONDS);
        }
        reader.result();
        server.write(Bytes.ascii("x"));
        ByteBuffer answer = ByteBuffer.allocate(2);
        assertEquals(1, client.read(answer).get(20, TimeUnit.SECONDS));
        assertEquals('x', answer.get(0));
        server.close();
        assertEquals(-1, client.read(answer).get(20, TimeUnit.SECONDS));
    }

    @Test
    void aSelectorReportsTheConnectThenBytesThenTheEnd() throws Exception {
        ServerSocketChannel listener = listen();
        SocketChannel client = closeLater(pairing.client().openSocketChannel());
        client.configureBlocking(false);
        Selector selector = closeLater(client.provider().openSelector());
        SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT);
        if (!client.connect(listener.getLocalAddress())) {
            assertTrue(client.isConnectionPending());
            assertEquals(1, selector.select(20_000));
            assertTrue(key.isConnectable());
            assertTrue(client.finishConnect());
        }
        selector.selectedKeys().clear();
        SocketChannel server = closeLater(listener.accept());
        key.interestOps(SelectionKey.OP_READ);
        assertEquals(0, client.read(ByteBuffer.allocate(1)));
        assertEquals(0, selector.selectNow());
        server.write(Bytes.ascii("x"));
        assertEquals(1, selector.select(20_000));
        Bytes.expect(client, "x");
        selector.selectedKeys().clear();
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        assertEquals(1, selector.select(20_000));
        assertTrue(key.isWritable());
        selector.selectedKeys().clear();
        key.interestOps(SelectionKey.OP_READ);
        server.close();
        assertEquals(1, selector.select(20_000));
        assertEquals(-1, client.read(ByteBuffer.allocate(1)));
    }

    @Test
    void aNonBlockingWriteTakesWhatThereIsRoomForAndASelectorReportsMoreRoom() throws Exception {
        Connection connection = connect();
        SocketChannel client = connection.client();
        client.configureBlocking(false);
        ByteBuffer much = ByteBuffer.allocate(TOO_MUCH);
        while (client.write(much) > 0) {
            assertTrue(much.hasRemaining());
        }
        Selector selector = closeLater(client.provider().openSelector());
        client.register(selector, SelectionKey.OP_WRITE);
        assertEquals(0, selector.selectNow());
        Task<Void> reader = start(() -> {
            Bytes.expect(connection.server(), new byte[TOO_MUCH]);
            return null;
        });
        while (much.hasRemaining()) {
            assertEquals(1, selector.select(20_000));
            selector.selectedKeys().clear();
            client.write(much);
        }
        reader.result();
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closeEndsABlockedRead(ThreadKind kind) throws Exception {
        Connection connection = connect();
        Task<Integer> reader = start(kind, () -> connection.client().read(ByteBuffer.allocate(1)));
        reader.awaitBlockedIn("read");
        connection.client().close();
        reader.failure(AsynchronousCloseException.class);
        assertEquals(-1, connection.server().read(ByteBuffer.allocate(1)));
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void anInterruptEndsABlockedReadAndClosesTheChannel(ThreadKind kind) throws Exception {
        Connection connection = connect();
        Task<Integer> reader = start(kind, () -> connection.client().read(ByteBuffer.allocate(1)));
        reader.awaitBlockedIn("read");
        reader.interrupt();
        reader.failure(ClosedByInterruptException.class);
        assertTrue(reader.interruptedAtEnd());
        assertFalse(connection.client().isOpen());
        assertEquals(-1, connection.server().read(ByteBuffer.allocate(1)));
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closeEndsABlockedWrite(ThreadKind kind) throws Exception {
        Connection connection = connect();
        Task<Object> writer = start(kind, () -> {
            ByteBuffer much = ByteBuffer.allocate(TOO_MUCH);
            while (much.hasRemaining()) {
                connection.client().write(much);
            }
            // A write that has moved some bytes returns their number.
            return connection.client().write(much.clear());
        });
        writer.awaitBlockedIn("write");
        connection.client().close();
        writer.channelWasClosed();
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void shutdownInputEndsABlockedRead(ThreadKind kind) throws Exception {
        Connection connection = connect();
        Task<Integer> reader = start(kind, () -> connection.client().read(ByteBuffer.allocate(1)));
        reader.awaitBlockedIn("read");
        connection.client().shutdownInput();
        assertEquals(-1, reader.result());
        assertEquals(-1, connection.client().read(ByteBuffer.allocate(1)));
    }

    @Test
    void afterShutdownOutputTheOtherDirectionGoesOn() throws Exception {
        Connection connection = connect();
        connection.client().write(Bytes.ascii("last"));
        connection.client().shutdownOutput();
        Bytes.expect(connection.server(), "last");
        assertEquals(-1, connection.server().read(ByteBuffer.allocate(1)));
        assertThrowsExactly(
                AsynchronousCloseException.class, () -> connection.client().write(Bytes.ascii("x")));
        connection.server().write(Bytes.ascii("answer"));
        Bytes.expect(connection.client(), "answer");
    }

    @Test
    void aPeerThatClosesWithUnreadBytesResetsTheConnection() throws Exception {
        Connection connection = connect();
        connection.client().write(Bytes.ascii("unread"));
        connection.server().close();
        for (int i = 0; i < 2; i++) {
            SocketException e = assertThrowsExactly(
                    SocketException.class, () -> connection.client().read(ByteBuffer.allocate(1)));
            assertEquals("Connection reset", e.getMessage());
        }
        assertEquals(
                "Broken pipe",
                assertThrowsExactly(IOException.class, () -> connection.client().write(Bytes.ascii("x")))
                        .getMessage());
    }

    @Test
    void optionsAreThoseOfTcp() throws Exception {
        SocketChannel client = connect().client();
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        assertTrue(client.getOption(StandardSocketOptions.TCP_NODELAY));
        client.setOption(StandardSocketOptions.SO_SNDBUF, 30_000);
        assertEquals(30_000, client.getOption(StandardSocketOptions.SO_SNDBUF));
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void aReadOfTheAdaptorTimesOutAndGoesOn(ThreadKind kind) throws Exception {
        Connection connection = connect();
        Socket socket = connection.client().socket();
        socket.setSoTimeout(30);
        Task<Integer> late = start(kind, () -> socket.getInputStream().read());
        assertEquals(
                "Read timed out", late.failure(SocketTimeoutException.class).getMessage());
        socket.setSoTimeout(20_000);
        Task<Integer> reader = start(kind, () -> socket.getInputStream().read());
        reader.awaitBlockedIn("read");
        connection.server().write(Bytes.ascii("xyz"));
        assertEquals('x', reader.result());
        assertEquals(2, socket.getInputStream().available());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closeEndsAReadOfTheAdaptorWithATimeout(ThreadKind kind) throws Exception {
        Connection connection = connect();
        connection.client().socket().setSoTimeout(40_000);
        Task<Integer> reader =
                start(kind, () -> connection.client().socket().getInputStream().read());
        reader.awaitBlockedIn("read");
        connection.client().close();
        reader.failure(AsynchronousCloseException.class);
        assertEquals(-1, connection.server().read(ByteBuffer.allocate(1)));
    }

    @Test
    void aFileIsTransferred(@TempDir Path directory) throws Exception {
        Connection connection = connect();
        byte[] content = Bytes.random(new Random(2), 200_000);
        Path path = Files.write(directory.resolve("file"), content);
        Task<Void> reader = start(() -> {
            Bytes.expect(connection.server(), content);
            return null;
        });
        try (FileChannel file = FileChannel.open(path)) {
            for (long at = 0; at < content.length; ) {
                at += file.transferTo(at, content.length - at, connection.client());
            }
        }
        reader.result();
    }
}
