// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.SocketChannel;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Transfers of files by streams, which hold the blocking lock of the channel, as in a JVM with the agent: {@code
 * Files.copy} to a stream of {@link Channels}.
 */
class FileStreamContractTest extends FileContract {
    private static long transferTo(FileChannel from, long position, SocketChannel target) throws IOException {
        synchronized (target.blockingLock()) {
            return FileForms.transferTo(from, position, Long.MAX_VALUE - position, target);
        }
    }

    /** Transfers until the connection fails. */
    private static Long transferForEver(FileChannel from, SocketChannel target) throws IOException {
        while (true) {
            transferTo(from, 0, target);
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void aFileArrivesAsItIs(ThreadKind kind) throws Exception {
        Connection connection = connect();
        byte[] content = Bytes.random(new Random(9), 8 * SIZE);
        FileChannel from = open(content);
        Task<Long> sender = start(kind, () -> {
            long sent = 0;
            while (sent < content.length) {
                sent += transferTo(from, sent, connection.client());
            }
            return sent + transferTo(from, sent, connection.client()) + transferTo(from, sent + 1, connection.client());
        });
        Bytes.expect(connection.server(), content);
        assertEquals(content.length, sender.result());
        Bytes.send(connection.client(), "and more");
        Bytes.expect(connection.server(), "and more");
    }

    @Test
    void aTransferThatWaitsDoesNotHoldUpTheOtherStream() throws Exception {
        OlderJdk.leaveOut(pairing.client());
        Connection connection = connect();
        SocketChannel client = connection.client();
        FileChannel from = openLarge();
        Task<Long> sender = start(() -> transferForEver(from, client));
        sender.awaitBlockedIn("transferTo");
        InputStream in = Channels.newInputStream(client);
        Task<Integer> reader = start(in::read);
        Bytes.send(connection.server(), "x");
        assertEquals('x', reader.result());
        client.close();
        sender.channelWasClosed();
        assertTrue(from.isOpen());
    }

    @Test
    void anInterruptEndsATransferThatWaitsAndClosesBoth() throws Exception {
        OlderJdk.leaveOut(pairing.client());
        Connection connection = connect();
        FileChannel from = openLarge();
        Task<Long> sender = start(() -> transferForEver(from, connection.client()));
        sender.awaitBlockedIn("transferTo");
        sender.interrupt();
        sender.failure(ClosedByInterruptException.class);
        assertTrue(sender.interruptedAtEnd());
        assertFalse(from.isOpen());
        assertFalse(connection.client().isOpen());
    }

    @Test
    void anInterruptedThreadTransfersNothingAndClosesBoth() throws Exception {
        OlderJdk.leaveOut(pairing.client());
        Connection connection = connect();
        FileChannel from = openLarge();
        Task<Long> sender = start(() -> {
            Thread.currentThread().interrupt();
            return transferTo(from, 0, connection.client());
        });
        sender.failure(ClosedByInterruptException.class);
        assertFalse(from.isOpen());
        assertFalse(connection.client().isOpen());
        Bytes.expectEnd(connection.server());
    }

    @Test
    void aTransferThatIsNotPossibleFails() throws Exception {
        OlderJdk.leaveOut(pairing.client());
        Connection connection = connect();
        FileChannel from = open(new byte[100]);
        connection.client().shutdownOutput();
        start(() -> transferTo(from, 0, connection.client())).failure(AsynchronousCloseException.class);
        FileChannel writable = openToWrite();
        start(() -> transferTo(writable, 0, connection.client())).failure(NonReadableChannelException.class);
        assertTrue(connection.client().isOpen());
        assertTrue(from.isOpen());
    }

    /** After a failure the channel writes on. */
    @Test
    void aFailedTransferLeavesTheChannelToOthers() throws Exception {
        Connection connection = connect();
        open(new byte[100]);
        FileChannel writable = openToWrite();
        start(() -> transferTo(writable, 0, connection.client())).failure(NonReadableChannelException.class);
        assertEquals(0, transferTo(open(new byte[0]), 0, connection.client()));
        Bytes.send(connection.client(), "x");
        Bytes.expect(connection.server(), "x");
    }
}
