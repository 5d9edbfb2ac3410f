// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The streams of a socket of java.net: their bytes, their ends and resets. */
class SocketStreamsContractTest extends SocketContract {
    private static final int MANY = 600_000;

    private static void awaitAvailable(Socket socket, int count) {
        Awaitility.await().until(() -> socket.getInputStream().available() >= count);
    }

    @Test
    void aByteGoesThereAndBack() throws Exception {
        SocketConnection connection = connect();
        connection.out().write(200);
        assertEquals(200, connection.peerReads());
        connection.peerSends(new byte[] {(byte) 255});
        assertEquals(255, connection.in().read());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void manyBytesGoBothWaysAtOnce(ThreadKind kind) throws Exception {
        SocketConnection connection = connect();
        byte[] there = Bytes.random(new Random(21), MANY);
        byte[] back = Bytes.random(new Random(22), MANY);
        Task<Object> testedWrites = start(kind, () -> {
            connection.out().write(there);
            return null;
        });
        Task<Object> peerWrites = start(() -> {
            connection.peerSends(back);
            return null;
        });
        Task<byte[]> peerReads = start(() -> connection.peer().getInputStream().readNBytes(MANY));
        Task<byte[]> testedReads = start(kind, () -> connection.in().readNBytes(MANY));
        assertArrayEquals(back, testedReads.result());
        assertArrayEquals(there, peerReads.result());
        testedWrites.result();
        peerWrites.result();
    }

    @Test
    void twoReadersOfAStreamLoseAndDuplicateNoByte() throws Exception {
        SocketConnection connection = connect();
        byte[] bytes = Bytes.random(new Random(23), 200_000);
        Task<long[]> first = start(() -> countedBytes(connection, 777));
        Task<long[]> second = start(ThreadKind.VIRTUAL, () -> countedBytes(connection, 1000));
        connection.peerSends(bytes);
        connection.peer().shutdownOutput();
        long[] expected = new long[256];
        for (byte each : bytes) {
            expected[each & 0xFF]++;
        }
        long[] seen = first.result();
        long[] others = second.result();
        for (int i = 0; i < seen.length; i++) {
            seen[i] += others[i];
        }
        assertArrayEquals(expected, seen);
    }

    /** How often each value is read until the end of the stream. */
    private static long[] countedBytes(SocketConnection connection, int most) throws IOException {
        long[] counts = new long[256];
        byte[] some = new byte[most];
        for (int n = connection.in().read(some); n >= 0; n = connection.in().read(some)) {
            for (int i = 0; i < n; i++) {
                counts[some[i] & 0xFF]++;
            }
        }
        return counts;
    }

    @Test
    void argumentsAreChecked() throws Exception {
        SocketConnection connection = connect();
        assertThrowsExactly(
                IndexOutOfBoundsException.class, () -> connection.in().read(new byte[2], 1, 2));
        assertThrowsExactly(
                IndexOutOfBoundsException.class, () -> connection.in().read(new byte[2], -1, 1));
        assertThrowsExactly(
                IndexOutOfBoundsException.class, () -> connection.out().write(new byte[2], 1, 2));
        assertThrowsExactly(NullPointerException.class, () -> connection.in().read(null));
        assertThrowsExactly(NullPointerException.class, () -> connection.out().write(null));
        assertEquals(0, connection.in().read(new byte[0]));
    }

    @Test
    void availableIsWhatCanBeReadWithoutWaiting() throws Exception {
        SocketConnection connection = connect();
        assertEquals(0, connection.in().available());
        connection.peerSends(new byte[] {1, 2, 3, 4});
        awaitAvailable(connection.tested(), 4);
        assertEquals(1, connection.in().read());
        assertEquals(3, connection.in().available());
        assertEquals(2, connection.in().skip(2));
        assertEquals(1, connection.in().read(new byte[9]));
        connection.peer().close();
        assertEquals(-1, connection.in().read());
        assertEquals(0, connection.in().available());
    }

    @Test
    void aStreamIsTransferredToItsEnd() throws Exception {
        SocketConnection connection = connect();
        byte[] bytes = Bytes.random(new Random(24), 100_000);
        Task<byte[]> reader = start(() -> {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            assertEquals(bytes.length, connection.in().transferTo(all));
            return all.toByteArray();
        });
        connection.peerSends(bytes);
        connection.peer().shutdownOutput();
        assertArrayEquals(bytes, reader.result());
    }

    @Test
    void thePeersHalfCloseIsTheEndOfTheInputAlone() throws Exception {
        SocketConnection connection = connect();
        connection.peerSends(new byte[] {7});
        connection.peer().shutdownOutput();
        assertEquals(7, connection.in().read());
        assertEquals(-1, connection.in().read());
        assertEquals(-1, connection.in().read(new byte[5], 1, 3));
        connection.out().write(8);
        assertEquals(8, connection.peerReads());
    }

    @Test
    void shutdownOutputIsTheEndForThePeerAlone() throws Exception {
        SocketConnection connection = connect();
        connection.out().write(9);
        connection.tested().shutdownOutput();
        assertTrue(connection.tested().isOutputShutdown());
        assertEquals(9, connection.peerReads());
        assertEquals(-1, connection.peerReads());
        says("Broken pipe", () -> connection.out().write(1));
        says("Socket output is already shutdown", () -> connection.tested().shutdownOutput());
        connection.peerSends(new byte[] {1});
        assertEquals(1, connection.in().read());
    }

    @Test
    void shutdownInputDropsWhatHasArrived() throws Exception {
        SocketConnection connection = connect();
        connection.peerSends(new byte[] {1});
        awaitAvailable(connection.tested(), 1);
        connection.tested().shutdownInput();
        assertEquals(0, connection.in().available());
        assertEquals(-1, connection.in().read());
        says("Socket input is already shutdown", () -> connection.tested().shutdownInput());
        connection.out().write(5);
        assertEquals(5, connection.peerReads());
    }

    @Test
    void aClosedStreamClosesTheSocket() throws Exception {
        SocketConnection byInput = connect();
        byInput.in().close();
        assertTrue(byInput.tested().isClosed());
        says("Socket closed", () -> byInput.in().read());
        says("Socket closed", () -> byInput.in().available());
        says("Socket closed", () -> byInput.out().write(1));
        assertEquals(-1, byInput.peerReads());
        SocketConnection byOutput = connect();
        byOutput.out().close();
        assertTrue(byOutput.tested().isClosed());
        assertEquals(-1, byOutput.peerReads());
    }

    @Test
    void whatWasSentBeforeACloseArrives() throws Exception {
        SocketConnection connection = connect();
        connection.out().write(new byte[3000]);
        connection.tested().close();
        assertEquals(3000, connection.peer().getInputStream().readAllBytes().length);
    }

    @Test
    void aCloseWithLingerZeroResetsThePeer() throws Exception {
        SocketConnection connection = connect();
        connection.tested().setSoLinger(true, 0);
        connection.tested().close();
        says("Connection reset", connection::peerReads);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2})
    void aCloseWithUnreadDataIsTheEndForThePeer(int linger) throws Exception {
        SocketConnection connection = connect();
        connection.tested().setSoLinger(linger >= 0, linger);
        connection.peerSends(new byte[] {1});
        awaitAvailable(connection.tested(), 1);
        connection.out().write(2);
        connection.tested().close();
        assertEquals(2, connection.peerReads());
        assertEquals(-1, connection.peerReads());
        assertEquals(-1, connection.peerReads());
    }

    @Test
    void aCloseWithLingerZeroAndUnreadDataResetsThePeer() throws Exception {
        SocketConnection connection = connect();
        connection.tested().setSoLinger(true, 0);
        connection.peerSends(new byte[] {1});
        awaitAvailable(connection.tested(), 1);
        connection.tested().close();
        says("Connection reset", connection::peerReads);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWriteAfterShutdownOutputReportsAReset(boolean urgent) throws Exception {
        SocketConnection connection = connect();
        connection.tested().shutdownOutput();
        connection.peer().setSoLinger(true, 0);
        connection.peer().close();
        Executable write = urgent
                ? () -> connection.tested().sendUrgentData(1)
                : () -> connection.out().write(1);
        Class<? extends IOException> type = urgent ? IOException.class : SocketException.class;
        // Until the reset comes, the pipe is broken already.
        Awaitility.await()
                .until(() -> assertThrowsExactly(type, write).getMessage().equals("Connection reset by peer"));
        says("Broken pipe", () -> connection.out().write(1));
        assertEquals(
                "Broken pipe",
                assertThrowsExactly(IOException.class, () -> connection.tested().sendUrgentData(1))
                        .getMessage());
        assertEquals(-1, connection.in().read());
        assertEquals(-1, connection.in().read());
    }

    @Test
    void aWriteAfterShutdownOutputReportsNoResetThatAReadHasReported() throws Exception {
        SocketConnection connection = connect();
        connection.tested().shutdownOutput();
        connection.peer().setSoLinger(true, 0);
        connection.peer().close();
        says("Connection reset", () -> connection.in().read());
        says("Broken pipe", () -> connection.out().write(1));
        says("Connection reset", () -> connection.in().read());
    }

    @Test
    void aWriteAfterTheEndsOfBothDirectionsBreaksThePipe() throws Exception {
        SocketConnection connection = connect();
        connection.peer().shutdownOutput();
        assertEquals(-1, connection.in().read());
        connection.tested().shutdownOutput();
        connection.peer().close();
        says("Broken pipe", () -> connection.out().write(1));
        assertEquals(-1, connection.in().read());
    }

    @Test
    void urgentDataThatAreUnreadWhenTheReceiverWantsThemAreInTheStream() throws Exception {
        assumeTrue(pairing != Pairing.PIPEDEVICE_DRIVER, "a driver's device drops them");
        SocketConnection connection = connect();
        connection.peerSends(new byte[] {1});
        connection.peer().sendUrgentData(2);
        connection.peerSends(new byte[] {3});
        awaitAvailable(connection.tested(), 1);
        assertEquals(1, connection.in().available());
        connection.tested().setOOBInline(true);
        awaitAvailable(connection.tested(), 3);
        assertEquals(1, connection.in().read(new byte[3]), "a read ends before urgent data");
        assertArrayEquals(new byte[] {2, 3}, connection.in().readNBytes(2));
        connection.tested().setOOBInline(false);
        connection.peer().sendUrgentData(4);
        connection.peer().shutdownOutput();
        assertEquals(-1, connection.in().read());
    }

    @Test
    void urgentDataThatWereSentBeforeTheConnectionWasAcceptedAreInTheStream() throws Exception {
        assumeTrue(ends == SocketEnds.ACCEPTED && pairing != Pairing.PIPEDEVICE_DRIVER, "the test accepts");
        try (ServerSocket server = listen()) {
            Socket client = openClient();
            client.connect(server.getLocalSocketAddress());
            client.sendUrgentData(7);
            client.getOutputStream().write(8);
            Socket accepted = closeLater(server.accept());
            accepted.setOOBInline(true);
            assertEquals(7, accepted.getInputStream().read());
            assertEquals(8, accepted.getInputStream().read());
        }
    }

    @Test
    void aResetByThePeerIsReportedByEachRead() throws Exception {
        SocketConnection connection = connect();
        connection.peer().setSoLinger(true, 0);
        connection.peer().close();
        says("Connection reset", () -> connection.in().read());
        says("Connection reset", () -> connection.in().read(new byte[4]));
        assertFalse(connection.tested().isClosed());
        says("Broken pipe", () -> connection.out().write(1));
    }
}
