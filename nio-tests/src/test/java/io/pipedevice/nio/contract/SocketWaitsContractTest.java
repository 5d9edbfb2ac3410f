// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads and writes of a socket of java.net that wait: their timeouts, and what ends them. */
class SocketWaitsContractTest extends SocketContract {
    /** More than any transport buffers. */
    private static final byte[] TOO_MUCH = new byte[16 << 20];

    private Task<Integer> startRead(SocketConnection connection, ThreadKind kind) {
        return start(kind, () -> connection.in().read());
    }

    private Task<Integer> startWrite(SocketConnection connection, ThreadKind kind) {
        return start(kind, () -> {
            connection.out().write(TOO_MUCH);
            return TOO_MUCH.length;
        });
    }

    private static void closes(Task<?> task) throws InterruptedException {
        assertEquals("Socket closed", task.failure(SocketException.class).getMessage());
    }

    @Test
    void aReadTimesOutAndTheSocketGoesOn() throws Exception {
        SocketConnection connection = connect();
        for (int timeout : new int[] {1, 30}) {
            connection.tested().setSoTimeout(timeout);
            assertEquals(timeout, connection.tested().getSoTimeout());
            SocketTimeoutException e = assertThrowsExactly(
                    SocketTimeoutException.class, () -> connection.in().read());
            assertEquals("Read timed out", e.getMessage());
        }
        connection.peerSends(new byte[] {5});
        connection.tested().setSoTimeout(20_000);
        assertEquals(5, connection.in().read());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void aReadWithATimeoutWaitsForWhatComesInTime(ThreadKind kind) throws Exception {
        SocketConnection connection = connect();
        connection.tested().setSoTimeout(20_000);
        Task<Integer> reader = startRead(connection, kind);
        reader.awaitBlockedIn("read");
        connection.peerSends(new byte[] {6});
        assertEquals(6, reader.result());
    }

    @Test
    void eachOfTwoReadersTimesOut() throws Exception {
        SocketConnection connection = connect();
        connection.tested().setSoTimeout(50);
        Task<Integer> first = startRead(connection, ThreadKind.PLATFORM);
        Task<Integer> second = startRead(connection, ThreadKind.VIRTUAL);
        first.failure(SocketTimeoutException.class);
        second.failure(SocketTimeoutException.class);
    }

    @Test
    void aTimeoutThatRacesAnArrivalLosesNoByte() throws Exception {
        SocketConnection connection = connect();
        connection.tested().setSoTimeout(1);
        int count = 60;
        Random random = new Random(31);
        Task<Integer> sender = start(() -> {
            for (int i = 0; i < count; i++) {
                LockSupport.parkNanos(random.nextInt(2_000_000));
                connection.peerSends(new byte[] {(byte) i});
            }
            return count;
        });
        for (int expected = 0; expected < count; ) {
            try {
                assertEquals(expected, connection.in().read());
                expected++;
            } catch (SocketTimeoutException e) {
                assertEquals("Read timed out", e.getMessage());
            }
        }
        sender.result();
        assertEquals(0, connection.in().available());
    }

    @ParameterizedTest
    @CsvSource({"PLATFORM, 0", "VIRTUAL, 20000"})
    void aCloseEndsAllReadersAndWriters(ThreadKind kind, int timeout) throws Exception {
        SocketConnection connection = connect();
        connection.tested().setSoTimeout(timeout);
        List<Task<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            tasks.add(startRead(connection, kind));
            tasks.add(startWrite(connection, kind));
        }
        tasks.get(0).awaitBlockedIn("read");
        tasks.get(1).awaitBlockedIn("write");
        connection.tested().close();
        for (Task<Integer> task : tasks) {
            closes(task);
        }
    }

    @Test
    void shutdownInputEndsABlockedRead() throws Exception {
        SocketConnection connection = connect();
        for (ThreadKind kind : ThreadKind.values()) {
            SocketConnection each = kind == ThreadKind.PLATFORM ? connection : connect();
            Task<Integer> reader = startRead(each, kind);
            reader.awaitBlockedIn("read");
            each.tested().shutdownInput();
            assertEquals(-1, reader.result());
        }
    }

    @Test
    void shutdownOutputEndsABlockedWrite() throws Exception {
        SocketConnection connection = connect();
        Task<Integer> writer = startWrite(connection, ThreadKind.PLATFORM);
        writer.awaitBlockedIn("write");
        connection.tested().shutdownOutput();
        assertEquals("Broken pipe", writer.failure(SocketException.class).getMessage());
        assertFalse(connection.tested().isClosed());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void theCloseOfThePeerEndsABlockedWrite(ThreadKind kind) throws Exception {
        SocketConnection connection = connect();
        Task<Integer> writer = startWrite(connection, kind);
        writer.awaitBlockedIn("write");
        connection.peer().close();
        String message = writer.failure(SocketException.class).getMessage();
        // The kernel reports one or the other, as it happens.
        assertTrue(message.equals("Broken pipe") || message.startsWith("Connection reset"), message);
    }

    @Test
    void aResetEndsABlockedRead() throws Exception {
        SocketConnection connection = connect();
        Task<Integer> reader = startRead(connection, ThreadKind.PLATFORM);
        reader.awaitBlockedIn("read");
        connection.peer().setSoLinger(true, 0);
        connection.peer().close();
        assertEquals("Connection reset", reader.failure(SocketException.class).getMessage());
    }

    @Test
    void anInterruptDoesNotDisturbAPlatformThread() throws Exception {
        SocketConnection connection = connect();
        Task<Integer> reader = startRead(connection, ThreadKind.PLATFORM);
        reader.awaitBlockedIn("read");
        reader.interrupt();
        connection.peerSends(new byte[] {1});
        assertEquals(1, reader.result());
        assertTrue(reader.interruptedAtEnd());
        Task<Integer> writer = startWrite(connection, ThreadKind.PLATFORM);
        writer.awaitBlockedIn("write");
        writer.interrupt();
        assertEquals(TOO_MUCH.length, connection.peer().getInputStream().readNBytes(TOO_MUCH.length).length);
        writer.result();
        assertTrue(writer.interruptedAtEnd());
    }

    @Test
    void anInterruptClosesTheSocketOfAVirtualThread() throws Exception {
        SocketConnection read = connect();
        Task<Integer> reader = startRead(read, ThreadKind.VIRTUAL);
        reader.awaitBlockedIn("read");
        reader.interrupt();
        assertEquals(
                "Closed by interrupt", reader.failure(SocketException.class).getMessage());
        assertTrue(reader.interruptedAtEnd());
        assertTrue(read.tested().isClosed());
        SocketConnection write = connect();
        Task<Integer> writer = startWrite(write, ThreadKind.VIRTUAL);
        writer.awaitBlockedIn("write");
        writer.interrupt();
        assertEquals(
                "Closed by interrupt", writer.failure(SocketException.class).getMessage());
        assertTrue(write.tested().isClosed());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void aReadAndAWriteWaitAtOnce(ThreadKind kind) throws Exception {
        SocketConnection connection = connect();
        Task<Integer> reader = startRead(connection, kind);
        reader.awaitBlockedIn("read");
        Task<Integer> writer = startWrite(connection, kind);
        writer.awaitBlockedIn("write");
        connection.peerSends(new byte[] {3});
        assertEquals(3, reader.result());
        assertFalse(writer.isDone());
        assertEquals(TOO_MUCH.length, connection.peer().getInputStream().readNBytes(TOO_MUCH.length).length);
        writer.result();
    }

    @Test
    void availableDoesNotWaitForAReader() throws Exception {
        SocketConnection connection = connect();
        Task<Integer> reader = startRead(connection, ThreadKind.PLATFORM);
        reader.awaitBlockedIn("read");
        Task<Integer> available = start(() -> connection.in().available());
        assertEquals(0, available.result());
        connection.peerSends(new byte[] {4});
        assertEquals(4, reader.result());
    }
}
