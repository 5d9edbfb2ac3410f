// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers between files and channels, as in a JVM with the agent. */
class FileTransferContractTest extends Contract {
    private static final int SIZE = 1 << 20;
    private static final int MUCH = Flood.MORE_THAN_A_CONNECTION_TAKES;

    @TempDir
    private Path dir;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = dir.resolve("file");
    }

    /** A file of zeros that takes no space. */
    private FileChannel openLarge() throws IOException {
        FileChannel channel = closeLater(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        channel.write(ByteBuffer.allocate(1), MUCH - 1);
        return channel;
    }

    private FileChannel open(byte[] content) throws IOException {
        Files.write(file, content);
        return closeLater(FileChannel.open(file, StandardOpenOption.READ));
    }

    /** The method of the file's channel as the agent changes it. */
    private static long transferTo(FileChannel from, long position, long count, SocketChannel target)
            throws IOException {
        if (target instanceof InvocationHandler handler) {
            try {
                Object transferred = handler.invoke(from, null, new Object[] {position, count});
                if (transferred != null) {
                    return (Long) transferred;
                }
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
        return from.transferTo(position, count, target);
    }

    /** Transfers until the connection fails. */
    private static Long transferForEver(FileChannel from, SocketChannel target) throws IOException {
        while (true) {
            transferTo(from, 0, MUCH, target);
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void aFileArrivesAsItIs(ThreadKind kind) throws Exception {
        Connection connection = connect();
        byte[] content = Bytes.random(new Random(1), SIZE);
        FileChannel from = open(content);
        Task<Long> sender = start(kind, () -> {
            long sent = 0;
            while (sent < SIZE) {
                sent += transferTo(from, sent, SIZE - sent, connection.client());
            }
            return sent;
        });
        Bytes.expect(connection.server(), content);
        assertEquals(SIZE, sender.result());
        assertEquals(0, from.position());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 9_000, SIZE - 1})
    void aPartArrives(int count) throws Exception {
        Connection connection = connect();
        byte[] content = Bytes.random(new Random(2), SIZE);
        FileChannel from = open(content);
        Task<Long> sender = start(() -> transferTo(from, 1, count, connection.client()));
        byte[] part = new byte[count];
        System.arraycopy(content, 1, part, 0, count);
        Bytes.expect(connection.server(), part);
        assertEquals(count, sender.result());
    }

    @Test
    void nothingIsBehindTheEndOfAFile() throws Exception {
        Connection connection = connect();
        FileChannel from = open(new byte[100]);
        assertEquals(0, transferTo(from, 100, 1, connection.client()));
        assertEquals(0, transferTo(from, 101, 1, connection.client()));
        assertEquals(1, transferTo(from, 99, 1000, connection.client()));
        assertEquals(0, transferTo(from, 0, 0, connection.client()));
        assertEquals(0, transferTo(open(new byte[0]), 0, 1, connection.client()));
    }

    @Test
    void aFileThatShrinksMeanwhileEndsTheTransfer() throws Exception {
        Connection connection = connect();
        FileChannel from = openLarge();
        Task<Long> sender = start(() -> transferTo(from, 0, MUCH, connection.client()));
        sender.awaitBlockedIn("transferTo");
        from.truncate(SIZE);
        connection.client().configureBlocking(true);
        ByteBuffer received = ByteBuffer.allocate(MUCH);
        while (!sender.isDone()) {
            received.clear();
            connection.server().configureBlocking(false);
            connection.server().read(received);
        }
        assertTrue(sender.result() < MUCH);
    }

    @Test
    void whatCannotBeIsRefused() throws Exception {
        Connection connection = connect();
        FileChannel from = open(new byte[100]);
        SocketChannel client = connection.client();
        assertThrowsExactly(IllegalArgumentException.class, () -> transferTo(from, -1, 1, client));
        assertThrowsExactly(IllegalArgumentException.class, () -> transferTo(from, 0, -1, client));
        FileChannel writable = closeLater(FileChannel.open(file, StandardOpenOption.WRITE));
        assertThrowsExactly(NonReadableChannelException.class, () -> transferTo(writable, 0, 1, client));
        SocketChannel unconnected = openClient();
        assertThrowsExactly(NotYetConnectedException.class, () -> transferTo(from, 0, 1, unconnected));
        client.close();
        assertThrowsExactly(ClosedChannelException.class, () -> transferTo(from, 0, 1, client));
        from.close();
        assertThrowsExactly(ClosedChannelException.class, () -> transferTo(from, 0, 1, connection.server()));
    }

    @Test
    void anInterruptEndsABlockedTransferAndClosesBoth() throws Exception {
        Connection connection = connect();
        FileChannel from = openLarge();
        Task<Long> sender = start(() -> transferTo(from, 0, MUCH, connection.client()));
        sender.awaitBlockedIn("transferTo");
        sender.interrupt();
        sender.failure(ClosedByInterruptException.class);
        assertTrue(sender.interruptedAtEnd());
        assertFalse(from.isOpen());
        assertFalse(connection.client().isOpen());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterruptedThreadTransfersNothingAndClosesBoth(boolean blocking) throws Exception {
        Connection connection = connect();
        FileChannel from = openLarge();
        connection.client().configureBlocking(blocking);
        Task<Long> sender = start(() -> {
            Thread.currentThread().interrupt();
            return transferTo(from, 0, 100, connection.client());
        });
        sender.failure(ClosedByInterruptException.class);
        assertFalse(from.isOpen());
        assertFalse(connection.client().isOpen());
        Bytes.expectEnd(connection.server());
    }

    @Test
    void closingTheFileEndsABlockedTransfer() throws Exception {
        Connection connection = connect();
        FileChannel from = openLarge();
        Task<Long> sender = start(() -> transferForEver(from, connection.client()));
        sender.awaitBlockedIn("transferTo");
        from.close();
        sender.channelWasClosed();
        assertTrue(connection.client().isOpen());
    }

    @Test
    void closingTheChannelEndsABlockedTransfer() throws Exception {
        Connection connection = connect();
        FileChannel from = openLarge();
        Task<Long> sender = start(() -> transferForEver(from, connection.client()));
        sender.awaitBlockedIn("transferTo");
        connection.client().close();
        sender.channelWasClosed();
        assertTrue(from.isOpen());
    }

    @Test
    void afterAResetCutATransferThePipeIsBroken() throws Exception {
        Connection connection = connect();
        FileChannel from = openLarge();
        SocketChannel client = connection.client();
        Task<Long> sender = start(() -> transferTo(from, 0, MUCH, client));
        sender.awaitBlockedIn("transferTo");
        connection.server().setOption(StandardSocketOptions.SO_LINGER, 0);
        connection.server().close();
        assertTrue(sender.result() < MUCH);
        IOException e = assertThrowsExactly(IOException.class, () -> transferTo(from, 0, 100, client));
        assertEquals("Broken pipe", e.getMessage());
        assertTrue(from.isOpen());
        assertTrue(client.isOpen());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterTheOutputWasShutATransferFails(boolean blocking) throws Exception {
        Connection connection = connect();
        FileChannel from = open(new byte[100]);
        connection.client().configureBlocking(blocking);
        connection.client().shutdownOutput();
        for (int count : new int[] {0, 1, 100}) {
            assertThrowsExactly(
                    AsynchronousCloseException.class, () -> transferTo(from, 0, count, connection.client()));
        }
        assertEquals(0, transferTo(from, 101, 1, connection.client()));
        assertTrue(from.isOpen());
        assertTrue(connection.client().isOpen());
    }

    @Test
    void aTransferOfANonBlockingChannelTakesWhatThereIsRoomFor() throws Exception {
        Connection connection = connect();
        FileChannel from = openLarge();
        connection.client().configureBlocking(false);
        long sent = 0;
        for (long n = 1; n > 0; sent += n) {
            n = transferTo(from, sent, MUCH - sent, connection.client());
        }
        assertTrue(sent > 0 && sent < MUCH, () -> "room for a part");
        connection.client().close();
        assertEquals(sent, Bytes.receiveAll(connection.server()).length);
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void aFileReceivesWhatArrives(ThreadKind kind) throws Exception {
        Connection connection = connect();
        byte[] content = Bytes.random(new Random(3), SIZE);
        FileChannel to = openLarge();
        Task<Long> receiver = start(kind, () -> {
            long received = 0;
            while (received < SIZE) {
                received += to.transferFrom(connection.server(), received, SIZE - received);
            }
            return received;
        });
        Bytes.send(connection.client(), content);
        assertEquals(SIZE, receiver.result());
        ByteBuffer found = ByteBuffer.allocate(SIZE);
        to.read(found, 0);
        assertEquals(ByteBuffer.wrap(content), found.flip());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void anInterruptEndsABlockedReceptionAndClosesBoth(ThreadKind kind) throws Exception {
        Connection connection = connect();
        FileChannel to = openLarge();
        Task<Long> receiver = start(kind, () -> to.transferFrom(connection.server(), 0, SIZE));
        receiver.awaitBlockedIn("transferFrom");
        receiver.interrupt();
        receiver.failure(ClosedByInterruptException.class);
        assertFalse(to.isOpen());
        assertFalse(connection.server().isOpen());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closingTheChannelEndsABlockedReception(ThreadKind kind) throws Exception {
        Connection connection = connect();
        FileChannel to = openLarge();
        Task<Long> receiver = start(kind, () -> to.transferFrom(connection.server(), 0, SIZE));
        receiver.awaitBlockedIn("transferFrom");
        connection.server().close();
        receiver.failure(AsynchronousCloseException.class);
        assertTrue(to.isOpen());
    }
}
