// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which bytes of a file a transfer to a channel takes, as in a JVM with the agent, and which transfers are refused. */
class FileRangeContractTest extends FileContract {
    private static final int ROUNDS = 100;

    private static long transferTo(FileChannel from, long position, long count, SocketChannel target) throws Exception {
        return FileForms.transferTo(from, position, count, target);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 9_000, SIZE - 1})
    void aPartArrives(int count) throws Exception {
        Connection connection = connect();
        byte[] content = Bytes.random(new Random(2), SIZE);
        FileChannel from = open(content);
        Task<Long> sender = start(() -> transferTo(from, 1, count, connection.client()));
        Bytes.expect(connection.server(), Arrays.copyOfRange(content, 1, 1 + count));
        assertEquals(count, sender.result());
    }

    @Test
    void aPartBehindFourGigabytesArrives() throws Exception {
        Connection connection = connect();
        FileChannel from = openEmpty();
        byte[] content = Bytes.random(new Random(4), 10_000);
        long position = (5L << 30) + 7;
        from.write(ByteBuffer.wrap(content), position);
        assertEquals(content.length, transferTo(from, position, Long.MAX_VALUE - position, connection.client()));
        Bytes.expect(connection.server(), content);
    }

    @Test
    void nothingIsBehindTheEndOfAFile() throws Exception {
        Connection connection = connect();
        FileChannel from = open(new byte[100]);
        assertEquals(0, transferTo(from, 100, 1, connection.client()));
        assertEquals(0, transferTo(from, 101, 1, connection.client()));
        assertEquals(0, transferTo(from, Long.MAX_VALUE, Long.MAX_VALUE, connection.client()));
        assertEquals(1, transferTo(from, 99, 1000, connection.client()));
        assertEquals(50, transferTo(from, 50, Long.MAX_VALUE, connection.client()));
        assertEquals(0, transferTo(from, 0, 0, connection.client()));
        assertEquals(0, transferTo(open(new byte[0]), 0, 1, connection.client()));
        assertEquals(51, Bytes.receive(connection.server(), 51).length);
    }

    /** Those of the kernel about itself have no size. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFileThatDoesNotSayItsSizeArrives(boolean blocking) throws Exception {
        Connection connection = connect();
        Path version = Path.of("/proc/version");
        byte[] content = Files.readAllBytes(version);
        FileChannel from = closeLater(FileChannel.open(version));
        connection.client().configureBlocking(blocking);
        assertEquals(content.length, transferTo(from, 0, Long.MAX_VALUE, connection.client()));
        Bytes.expect(connection.server(), content);
        assertEquals(0, transferTo(from, 1, 10, connection.client()));
    }

    @Test
    void aFileThatShrinksMeanwhileEndsTheTransfer() throws Exception {
        Connection connection = connect();
        FileChannel from = openLarge();
        Task<Long> sender = start(() -> transferTo(from, 0, MUCH, connection.client()));
        sender.awaitBlockedIn("transferTo");
        from.truncate(SIZE);
        ByteBuffer received = ByteBuffer.allocate(MUCH);
        connection.server().configureBlocking(false);
        while (!sender.isDone()) {
            connection.server().read(received.clear());
        }
        assertTrue(sender.result() < MUCH);
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void ofAFileThatShrinksAndGrowsWhatWasTransferredArrives(ThreadKind kind) throws Exception {
        Connection connection = connect();
        FileChannel from = openEmpty();
        Task<Long> sender = start(kind, () -> {
            long sent = 0;
            for (int i = 0; i < ROUNDS; i++) {
                sent += transferTo(from, 0, SIZE, connection.client());
            }
            connection.client().shutdownOutput();
            return sent;
        });
        Task<Integer> receiver = start(() -> Bytes.receiveAll(connection.server()).length);
        ByteBuffer one = ByteBuffer.allocate(1);
        Random random = new Random(5);
        while (!sender.isDone()) {
            from.write(one.clear(), SIZE - 1);
            from.truncate(random.nextInt(SIZE));
        }
        assertEquals(sender.result(), (long) receiver.result());
    }

    /** A file may grow while a part of it is transferred; that is not a part of the transfer. */
    @Test
    void aFileThatGrowsMeanwhileDoesNotProlongTheTransfer() throws Exception {
        Connection connection = connect();
        FileChannel from = openLarge();
        Task<Long> sender = start(() -> transferTo(from, 0, Long.MAX_VALUE, connection.client()));
        sender.awaitBlockedIn("transferTo");
        from.write(ByteBuffer.allocate(SIZE), MUCH);
        assertArrayEquals(new byte[MUCH], Bytes.receive(connection.server(), MUCH));
        assertEquals(MUCH, sender.result());
    }

    @Test
    void whatCannotBeIsRefused() throws Exception {
        Connection connection = connect();
        FileChannel from = open(new byte[100]);
        SocketChannel client = connection.client();
        assertThrowsExactly(IllegalArgumentException.class, () -> transferTo(from, -1, 1, client));
        assertThrowsExactly(IllegalArgumentException.class, () -> transferTo(from, 0, -1, client));
        FileChannel writable = openToWrite();
        for (int position : new int[] {0, 100, 101}) {
            for (int count : new int[] {0, 1}) {
                assertThrowsExactly(
                        NonReadableChannelException.class, () -> transferTo(writable, position, count, client));
            }
        }
        client.close();
        assertThrowsExactly(ClosedChannelException.class, () -> transferTo(from, 0, 1, client));
        assertThrowsExactly(ClosedChannelException.class, () -> transferTo(from, 101, 1, client));
        assertThrowsExactly(ClosedChannelException.class, () -> transferTo(writable, 0, 1, client));
        from.close();
        assertThrowsExactly(ClosedChannelException.class, () -> transferTo(from, 101, 0, connection.server()));
        assertTrue(connection.server().isOpen());
    }

    @Test
    void aFileThatCannotBeReadIsRefusedBeforeTheShutOutput() throws Exception {
        Connection connection = connect();
        open(new byte[100]);
        connection.client().shutdownOutput();
        FileChannel writable = openToWrite();
        assertThrowsExactly(NonReadableChannelException.class, () -> transferTo(writable, 0, 1, connection.client()));
    }

    @Test
    void aChannelThatIsNotConnectedIsRefused() throws Exception {
        OlderJdk.leaveOut(pairing.client());
        FileChannel from = open(new byte[100]);
        SocketChannel unconnected = openClient();
        assertThrowsExactly(NotYetConnectedException.class, () -> transferTo(from, 0, 1, unconnected));
        assertThrowsExactly(NotYetConnectedException.class, () -> transferTo(from, 0, 0, unconnected));
        assertThrowsExactly(NotYetConnectedException.class, () -> transferTo(from, 100, 1, unconnected));
        assertEquals(0, transferTo(from, 101, 1, unconnected));
        FileChannel writable = openToWrite();
        assertThrowsExactly(NonReadableChannelException.class, () -> transferTo(writable, 0, 1, unconnected));
        assertTrue(unconnected.isOpen());
    }
}
