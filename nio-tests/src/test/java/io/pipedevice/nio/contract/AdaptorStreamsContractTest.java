// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The streams of a channel's socket(), with and without a timeout. */
class AdaptorStreamsContractTest extends Contract {
    private Connection connection;
    private Socket socket;
    private InputStream in;
    private OutputStream out;

    private void open() throws IOException {
        connection = connect();
        socket = connection.client().socket();
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10_000})
    void bytesGoBothWays(int timeout) throws Exception {
        open();
        socket.setSoTimeout(timeout);
        assertEquals(timeout, socket.getSoTimeout());
        out.write('a');
        out.write("xbcx".getBytes(StandardCharsets.US_ASCII), 1, 2);
        out.write(new byte[0]);
        Bytes.expect(connection.server(), "abc");
        byte[] bytes = Bytes.random(new Random(11), 700_000);
        Task<Object> writer = start(() -> {
            Bytes.send(connection.server(), bytes);
            return null;
        });
        assertArrayEquals(bytes, in.readNBytes(bytes.length));
        writer.result();
        assertEquals(0, in.read(new byte[0]));
        Bytes.send(connection.server(), new byte[] {(byte) 0xff, 1, 2});
        assertEquals(255, in.read());
        assertEquals(2, in.skip(2));
        connection.server().shutdownOutput();
        assertEquals(-1, in.read());
        assertEquals(-1, in.read(new byte[5], 1, 3));
        assertEquals(0, in.read(new byte[0]));
    }

    @Test
    void argumentsAreChecked() throws IOException {
        open();
        assertThrowsExactly(IndexOutOfBoundsException.class, () -> in.read(new byte[2], 1, 2));
        assertThrowsExactly(IndexOutOfBoundsException.class, () -> in.read(new byte[2], -1, 1));
        assertThrowsExactly(IndexOutOfBoundsException.class, () -> out.write(new byte[2], 1, 2));
        assertThrowsExactly(NullPointerException.class, () -> in.read(null));
        assertThrowsExactly(NullPointerException.class, () -> out.write(null));
        IllegalArgumentException e = assertThrowsExactly(IllegalArgumentException.class, () -> socket.setSoTimeout(-1));
        assertEquals("timeout < 0", e.getMessage());
    }

    @Test
    void availableIsWhatCanBeReadWithoutWaiting() throws IOException {
        open();
        assertEquals(0, in.available());
        Bytes.send(connection.server(), "abc");
        Awaitility.await().until(() -> in.available() == 3);
        assertEquals('a', in.read());
        assertEquals(2, in.available());
        connection.server().close();
        assertEquals(2, in.readNBytes(5).length);
        assertEquals(0, in.available());
    }

    @Test
    void availableDoesNotWaitForAReader() throws Exception {
        open();
        Task<Integer> reader = start(in::read);
        reader.awaitBlockedIn("read");
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertEquals(0, in.available()));
        Bytes.send(connection.server(), "a");
        assertEquals('a', reader.result());
    }

    @Test
    void aStreamIsTransferredToItsEnd() throws Exception {
        open();
        byte[] bytes = Bytes.random(new Random(12), 500_000);
        Task<byte[]> reader = start(() -> {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            assertEquals(bytes.length, in.transferTo(all));
            return all.toByteArray();
        });
        Bytes.send(connection.server(), bytes);
        connection.server().shutdownOutput();
        assertArrayEquals(bytes, reader.result());
    }

    @Test
    void aReadTimesOutAndTheSocketGoesOn() throws IOException {
        open();
        for (int timeout : new int[] {1, 50}) {
            socket.setSoTimeout(timeout);
            SocketTimeoutException e = assertThrowsExactly(SocketTimeoutException.class, in::read);
            assertEquals("Read timed out", e.getMessage());
        }
        assertFalse(socket.isClosed());
        Bytes.send(connection.server(), "x");
        socket.setSoTimeout(10_000);
        assertEquals('x', in.read());
        // The channel itself has no timeout.
        socket.setSoTimeout(1);
        Bytes.send(connection.server(), "y");
        Bytes.expect(connection.client(), "y");
    }

    @Test
    void aReadWithATimeoutWaitsForWhatComesInTime() throws Exception {
        open();
        socket.setSoTimeout(20_000);
        Task<Integer> reader = start(() -> in.read());
        reader.awaitBlockedIn("read");
        Bytes.send(connection.server(), "z");
        assertEquals('z', reader.result());
    }

    @Test
    void inNonBlockingModeStreamsAreOfNoUse() throws IOException {
        open();
        connection.client().configureBlocking(false);
        for (int timeout : new int[] {0, 10}) {
            socket.setSoTimeout(timeout);
            assertThrowsExactly(IllegalBlockingModeException.class, in::read);
            assertThrowsExactly(IllegalBlockingModeException.class, () -> out.write(1));
        }
        assertEquals(0, in.available());
    }

    @Test
    void aClosedStreamClosesTheChannel() throws IOException {
        open();
        in.close();
        assertFalse(connection.client().isOpen());
        assertThrowsExactly(ClosedChannelException.class, in::read);
        assertThrowsExactly(ClosedChannelException.class, () -> out.write(1));
        assertThrowsExactly(ClosedChannelException.class, in::available);
        Bytes.expectEnd(connection.server());
        open();
        out.close();
        assertTrue(socket.isClosed());
        Bytes.expectEnd(connection.server());
    }

    @Test
    void shutStreamsReportTheEndOrFail() throws IOException {
        open();
        socket.shutdownInput();
        assertEquals(-1, in.read());
        assertEquals(0, in.available());
        socket.shutdownOutput();
        assertThrowsExactly(ClosedChannelException.class, () -> out.write(1));
    }

    @Test
    void shutdownOutputEndsABlockedWrite() throws Exception {
        open();
        Task<Object> writer = start(() -> {
            out.write(new byte[64 << 20]);
            return null;
        });
        writer.awaitBlockedIn("write");
        socket.shutdownOutput();
        assertEquals("Broken pipe", writer.failure(IOException.class).getMessage());
        assertFalse(socket.isClosed());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20_000})
    void closeWakesABlockedRead(int timeout) throws Exception {
        open();
        socket.setSoTimeout(timeout);
        Task<Integer> reader = start(() -> in.read());
        reader.awaitBlockedIn("read");
        socket.close();
        reader.failure(AsynchronousCloseException.class);
        Bytes.expectEnd(connection.server());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void interruptEndsABlockedRead(ThreadKind kind) throws Exception {
        for (int timeout : new int[] {0, 20_000}) {
            open();
            socket.setSoTimeout(timeout);
            Task<Integer> reader = start(kind, () -> in.read());
            reader.awaitBlockedIn("read");
            reader.interrupt();
            reader.failure(ClosedByInterruptException.class);
            assertTrue(reader.interruptedAtEnd());
            assertTrue(socket.isClosed());
        }
    }

    @Test
    void aStreamIsWrittenWhileAnotherThreadReads() throws Exception {
        open();
        for (int timeout : new int[] {0, 20_000}) {
            socket.setSoTimeout(timeout);
            Task<Integer> reader = start(() -> in.read());
            reader.awaitBlockedIn("read");
            out.write('q');
            Bytes.expect(connection.server(), "q");
            Bytes.send(connection.server(), "a");
            assertEquals('a', reader.result());
        }
    }

    @Test
    void aResetIsReportedAsByTheChannel() throws IOException {
        open();
        out.write(1);
        connection.server().configureBlocking(false);
        Readiness.awaitReadable(connection.server());
        connection.server().close();
        SocketException e = assertThrowsExactly(SocketException.class, in::read);
        assertEquals("Connection reset", e.getMessage());
        IOException write = assertThrowsExactly(IOException.class, () -> out.write(1));
        assertEquals("Broken pipe", write.getMessage());
    }
}
