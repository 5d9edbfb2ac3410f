// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers from channels to files. */
class FileReceptionContractTest extends FileContract {
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
        assertEquals(0, to.position());
        assertArrayEquals(content, Arrays.copyOf(content(), SIZE));
    }

    @ParameterizedTest
    @ValueSource(longs = {10_001, Long.MAX_VALUE})
    void atTheEndOfTheStreamAFileReceivesNoMore(long count) throws Exception {
        Connection connection = connect();
        FileChannel to = openEmpty();
        byte[] content = Bytes.random(new Random(6), 10_000);
        Bytes.send(connection.client(), content);
        connection.client().shutdownOutput();
        assertEquals(content.length, to.transferFrom(connection.server(), 0, count));
        assertEquals(0, to.transferFrom(connection.server(), 0, count));
        assertArrayEquals(content, content());
    }

    @Test
    void aFileReceivesNotMoreThanItIsToReceive() throws Exception {
        Connection connection = connect();
        FileChannel to = openEmpty();
        byte[] content = Bytes.random(new Random(7), 20_000);
        Bytes.send(connection.client(), content);
        assertEquals(0, to.transferFrom(connection.server(), 0, 0));
        assertEquals(9_000, to.transferFrom(connection.server(), 3, 9_000));
        Bytes.expect(connection.server(), Arrays.copyOfRange(content, 9_000, content.length));
        byte[] expected = new byte[9_003];
        System.arraycopy(content, 0, expected, 3, 9_000);
        assertArrayEquals(expected, content());
    }

    @Test
    void withoutDataAFileReceivesNothingInNonBlockingMode() throws Exception {
        Connection connection = connect();
        FileChannel to = openEmpty();
        SocketChannel server = connection.server();
        server.configureBlocking(false);
        assertEquals(0, to.transferFrom(server, 0, 100));
        byte[] content = Bytes.random(new Random(8), 20_000);
        Bytes.send(connection.client(), content);
        long received = 0;
        while (received < content.length) {
            Readiness.awaitReadable(server);
            received += to.transferFrom(server, received, SIZE);
        }
        assertEquals(0, to.transferFrom(server, received, 100));
        assertArrayEquals(content, content());
        connection.client().close();
        Readiness.awaitReadable(server);
        assertEquals(0, to.transferFrom(server, 0, 100));
    }

    @Test
    void afterTheInputWasShutAFileReceivesNothing() throws Exception {
        Connection connection = connect();
        FileChannel to = openEmpty();
        connection.server().shutdownInput();
        assertEquals(0, to.transferFrom(connection.server(), 0, 100));
    }

    @Test
    void aResetFailsTheReception() throws Exception {
        Connection connection = connect();
        FileChannel to = openEmpty();
        Task<Long> receiver = start(() -> to.transferFrom(connection.server(), 0, SIZE));
        receiver.awaitBlockedIn("transferFrom");
        connection.client().setOption(StandardSocketOptions.SO_LINGER, 0);
        connection.client().close();
        SocketException e = receiver.failure(SocketException.class);
        assertEquals("Connection reset", e.getMessage());
        assertThrowsExactly(SocketException.class, () -> to.transferFrom(connection.server(), 0, SIZE));
        assertTrue(to.isOpen());
        assertTrue(connection.server().isOpen());
    }

    @Test
    void aResetAfterAPartReportsThePart() throws Exception {
        Connection connection = connect();
        FileChannel to = openEmpty();
        Task<Long> receiver = start(() -> to.transferFrom(connection.server(), 0, SIZE));
        Bytes.send(connection.client(), new byte[5_000]);
        receiver.awaitBlockedIn("transferFrom");
        awaitSize(to, 5_000);
        connection.client().setOption(StandardSocketOptions.SO_LINGER, 0);
        connection.client().close();
        assertEquals(5_000, receiver.result());
        assertThrowsExactly(SocketException.class, () -> to.transferFrom(connection.server(), 0, SIZE));
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void anInterruptEndsABlockedReceptionAndClosesBoth(ThreadKind kind) throws Exception {
        OlderJdk.leaveOut();
        Connection connection = connect();
        FileChannel to = openLarge();
        Task<Long> receiver = start(kind, () -> to.transferFrom(connection.server(), 0, SIZE));
        receiver.awaitBlockedIn("transferFrom");
        receiver.interrupt();
        receiver.failure(ClosedByInterruptException.class);
        assertTrue(receiver.interruptedAtEnd());
        assertFalse(to.isOpen());
        assertFalse(connection.server().isOpen());
    }

    /** It is reported by the number of bytes, and closes the channel that it waited for. */
    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void anInterruptAfterAPartReportsThePart(ThreadKind kind) throws Exception {
        Connection connection = connect();
        FileChannel to = openEmpty();
        Task<Long> receiver = start(kind, () -> to.transferFrom(connection.server(), 0, SIZE));
        Bytes.send(connection.client(), new byte[5_000]);
        awaitSize(to, 5_000);
        receiver.awaitBlockedIn("transferFrom");
        receiver.interrupt();
        assertEquals(5_000, receiver.result());
        assertTrue(receiver.interruptedAtEnd());
        assertFalse(connection.server().isOpen());
        assertTrue(to.isOpen());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterruptedThreadReceivesNothing(boolean blocking) throws Exception {
        OlderJdk.leaveOut();
        Connection connection = connect();
        FileChannel to = openEmpty();
        connection.server().configureBlocking(blocking);
        Task<Long> receiver = start(() -> {
            Thread.currentThread().interrupt();
            return to.transferFrom(connection.server(), 0, 100);
        });
        if (blocking) {
            receiver.failure(ClosedByInterruptException.class);
        } else {
            assertEquals(0, receiver.result());
        }
        assertEquals(!blocking, to.isOpen());
        assertEquals(!blocking, connection.server().isOpen());
        assertTrue(receiver.interruptedAtEnd());
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

    /** It does not end the wait for bytes. */
    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closingTheFileFailsTheReceptionOfTheNextBytes(ThreadKind kind) throws Exception {
        OlderJdk.leaveOut();
        Connection connection = connect();
        FileChannel to = openEmpty();
        Task<Long> receiver = start(kind, () -> to.transferFrom(connection.server(), 0, SIZE));
        receiver.awaitBlockedIn("transferFrom");
        to.close();
        Bytes.send(connection.client(), "x");
        receiver.failure(AsynchronousCloseException.class);
        assertTrue(connection.server().isOpen());
        Bytes.send(connection.client(), "y");
        Bytes.expect(connection.server(), "y");
    }

    @Test
    void whatCannotBeIsRefused() throws Exception {
        Connection connection = connect();
        SocketChannel server = connection.server();
        FileChannel readable = open(new byte[100]);
        assertThrowsExactly(NonWritableChannelException.class, () -> readable.transferFrom(server, 0, 1));
        FileChannel to = openToWrite();
        assertThrowsExactly(IllegalArgumentException.class, () -> to.transferFrom(server, -1, 1));
        assertThrowsExactly(IllegalArgumentException.class, () -> to.transferFrom(server, 0, -1));
        SocketChannel unconnected = openClient();
        assertThrowsExactly(NotYetConnectedException.class, () -> to.transferFrom(unconnected, 0, 1));
        assertEquals(0, to.transferFrom(unconnected, 0, 0));
        server.close();
        assertThrowsExactly(ClosedChannelException.class, () -> to.transferFrom(server, 0, 0));
    }

    private static void awaitSize(FileChannel file, long size) {
        Awaitility.await("the bytes in the file").until(() -> file.size() == size);
    }
}
