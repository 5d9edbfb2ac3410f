// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers of files to channels, as in a JVM with the agent: their waits, and what ends them. */
class FileTransferContractTest extends FileContract {
    /** Transfers until the connection fails. */
    private static Long transferForEver(FileChannel from, SocketChannel target) throws IOException {
        while (true) {
            FileForms.transferTo(from, 0, MUCH, target);
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
                sent += FileForms.transferTo(from, sent, SIZE - sent, connection.client());
            }
            return sent;
        });
        Bytes.expect(connection.server(), content);
        assertEquals(SIZE, sender.result());
        assertEquals(0, from.position());
    }

    @Test
    void anInterruptEndsABlockedTransferAndClosesBoth() throws Exception {
        OlderJdk.leaveOut(!pairing.accelerated());
        Connection connection = connect();
        FileChannel from = openLarge();
        Task<Long> sender = start(() -> FileForms.transferTo(from, 0, MUCH, connection.client()));
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
        OlderJdk.leaveOut(!pairing.accelerated());
        Connection connection = connect();
        FileChannel from = openLarge();
        connection.client().configureBlocking(blocking);
        Task<Long> sender = start(() -> {
            Thread.currentThread().interrupt();
            return FileForms.transferTo(from, 0, 100, connection.client());
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
        OlderJdk.leaveOut(!pairing.accelerated());
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
        Task<Long> sender = start(() -> FileForms.transferTo(from, 0, MUCH, client));
        sender.awaitBlockedIn("transferTo");
        connection.server().setOption(StandardSocketOptions.SO_LINGER, 0);
        connection.server().close();
        assertTrue(sender.result() < MUCH);
        IOException e = assertThrowsExactly(IOException.class, () -> FileForms.transferTo(from, 0, 100, client));
        assertEquals("Broken pipe", e.getMessage());
        assertTrue(from.isOpen());
        assertTrue(client.isOpen());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aResetIsReportedToTheNextTransfer(boolean blocking) throws Exception {
        Connection connection = connect();
        FileChannel from = open(new byte[100]);
        SocketChannel client = connection.client();
        connection.server().setOption(StandardSocketOptions.SO_LINGER, 0);
        connection.server().close();
        client.configureBlocking(false);
        Readiness.awaitWritable(client);
        Readiness.awaitReadable(client);
        client.configureBlocking(blocking);
        IOException e = assertThrowsExactly(IOException.class, () -> FileForms.transferTo(from, 0, 100, client));
        assertEquals("Connection reset by peer", e.getMessage());
        e = assertThrowsExactly(IOException.class, () -> FileForms.transferTo(from, 0, 100, client));
        assertEquals("Broken pipe", e.getMessage());
        assertEquals(0, FileForms.transferTo(from, 0, 0, client));
        assertEquals(0, FileForms.transferTo(from, 100, 1, client));
    }

    /** The transfer reports the bytes that it had moved; if it had not moved any, it fails as a write does. */
    @Test
    void shuttingTheOutputEndsABlockedTransfer() throws Exception {
        OlderJdk.leaveOut(!pairing.accelerated());
        Connection connection = connect();
        FileChannel from = openLarge();
        Task<Long> sender = start(() -> FileForms.transferTo(from, 0, MUCH, connection.client()));
        sender.awaitBlockedIn("transferTo");
        connection.client().shutdownOutput();
        long sent = sender.result();
        assertTrue(sent > 0 && sent < MUCH, () -> sent + " bytes");
        assertThrowsExactly(
                AsynchronousCloseException.class, () -> FileForms.transferTo(from, 0, 1, connection.client()));
        assertEquals(sent, Bytes.receiveAll(connection.server()).length);
        assertTrue(from.isOpen());
        assertTrue(connection.client().isOpen());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterTheOutputWasShutATransferFails(boolean blocking) throws Exception {
        OlderJdk.leaveOut(!pairing.accelerated());
        Connection connection = connect();
        FileChannel from = open(new byte[100]);
        connection.client().configureBlocking(blocking);
        connection.client().shutdownOutput();
        for (int count : new int[] {0, 1, 100}) {
            assertThrowsExactly(
                    AsynchronousCloseException.class, () -> FileForms.transferTo(from, 0, count, connection.client()));
        }
        assertEquals(0, FileForms.transferTo(from, 101, 1, connection.client()));
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
            n = FileForms.transferTo(from, sent, MUCH - sent, connection.client());
        }
        assertTrue(sent > 0 && sent < MUCH, () -> "room for a part");
        connection.client().close();
        assertEquals(sent, Bytes.receiveAll(connection.server()).length);
    }
}
