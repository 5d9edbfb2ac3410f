// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.Errno;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections from connect to close: the driver behaves as TCP does. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ConnectionTest {
    private TestDriver driver;
    private RawPair pair;

    @BeforeEach
    void connect() throws IOException {
        driver = new TestDriver();
        pair = new RawPair(driver);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        pair.close();
        try {
            driver.awaitNothingLeft();
        } finally {
            driver.close();
        }
    }

    @Test
    void bothEndsReportTheSameAddresses() {
        assertEquals(pair.near.local, pair.far.peer);
        assertEquals(pair.near.peer, pair.far.local);
        assertEquals(pair.listener.local, pair.near.peer);
    }

    @Test
    void dataArrivesInBothDirections() throws IOException {
        for (int i = 0; i < 100; i++) {
            pair.exchange();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStreamArrivesWholeAndInOrder(Threading threading) throws Exception {
        long seed = System.nanoTime();
        System.out.println("aStreamArrivesWholeAndInOrder seed " + seed);
        byte[] sent = new byte[32 << 20];
        new Random(seed).nextBytes(sent);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (TestDriver separate = new TestDriver(new DriverContext().threading(threading));
                RawPair ends = new RawPair(separate)) {
            Future<?> sender = executor.submit(() -> {
                Random random = new Random(seed);
                for (int at = 0; at < sent.length; ) {
                    int length = Math.min(sent.length - at, 1 + random.nextInt(2 * RawSocket.RING));
                    ends.near.writeFully(Arrays.copyOfRange(sent, at, at + length));
                    at += length;
                }
                ends.near.shutdown();
                return null;
            });
            assertArrayEquals(sent, ends.far.readFully(sent.length));
            assertEquals(0, ends.far.readFully(1).length, "end of file");
            sender.get();
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void halfCloseLeavesTheOtherDirectionOpen() throws IOException {
        byte[] request = {1, 2, 3};
        pair.near.writeFully(request);
        pair.near.shutdown();
        assertArrayEquals(request, pair.far.readFully(100), "data, then end of file");
        byte[] answer = new byte[3 * RawSocket.RING / 2];
        new Random(5).nextBytes(answer);
        byte[] first = Arrays.copyOf(answer, RawSocket.RING);
        pair.far.writeFully(first);
        assertArrayEquals(first, pair.near.readFully(first.length));
        pair.far.close();
        assertEquals(0, pair.near.readFully(1).length);
        pair.near.close();
        driver.awaitCounter(CounterType.CONNECTIONS, 0);
    }

    @Test
    void closeDeliversWhatWasSent() throws IOException {
        byte[] sent = new byte[2000];
        new Random(6).nextBytes(sent);
        pair.near.writeFully(sent);
        pair.near.close();
        assertArrayEquals(sent, pair.far.readFully(3000));
        TestDriver.await("the closed socket's id to be free", pair.near::isReleased);
    }

    @Test
    void closeWithUnreadDataResetsThePeer() throws IOException {
        pair.near.writeFully(new byte[1000]);
        assertTrue(pair.far.awaitReadable(5000));
        pair.far.close();
        TestDriver.await("the reset", pair.near::isReset);
        assertEquals(Errno.ECONNRESET, assertThrows(RawException.class, () -> pair.near.read(new byte[1])).errno);
        driver.awaitCounter(CounterType.RESETS, 1);
    }

    @Test
    void dataAndTheirEndComeBeforeTheResetOfACloseWithUnreadData() throws IOException {
        pair.far.writeFully(new byte[1]);
        assertTrue(pair.near.awaitReadable(5000));
        byte[] sent = new byte[2 * RawSocket.RING];
        new Random(7).nextBytes(sent);
        pair.near.writeFully(sent);
        pair.near.shutdown();
        pair.near.close();
        assertArrayEquals(sent, pair.far.readFully(3 * RawSocket.RING), "data, then end of file");
        TestDriver.await("the reset", pair.far::isReset);
        assertEquals(Errno.EPIPE, assertThrows(RawException.class, () -> pair.far.write(new byte[1], 0, 1)).errno);
    }

    @Test
    void dataThatArrivedBeforeAResetIsRead() throws IOException {
        pair.near.writeFully(new byte[] {1, 2, 3});
        assertTrue(pair.far.awaitReadable(5000));
        pair.near.abort();
        TestDriver.await("the reset", pair.far::isReset);
        assertEquals(3, pair.far.read(new byte[10]));
        assertEquals(Errno.ECONNRESET, assertThrows(RawException.class, () -> pair.far.read(new byte[1])).errno);
    }

    @Test
    void sendingToAClosedSocketResets() throws IOException {
        pair.far.close();
        assertEquals(0, pair.near.readFully(1).length, "end of file");
        pair.near.write(new byte[10], 0, 10);
        TestDriver.await("the reset", pair.near::isReset);
        assertEquals(Errno.EPIPE, assertThrows(RawException.class, () -> pair.near.write(new byte[1], 0, 1)).errno);
    }

    @Test
    void theClientMaySendBeforeItIsAccepted() throws IOException {
        RawSocket early = pair.client.socket().connect(pair.listener.local);
        byte[] sent = {9, 8, 7};
        early.writeFully(sent);
        assertTrue(pair.listener.awaitReadable(5000), "the listener is told");
        RawSocket late = pair.listener.accept();
        assertArrayEquals(sent, late.readFully(3));
    }

    @Test
    void aFullBacklogRefuses() throws IOException {
        RawSocket listener = pair.server.listen(TestDriver.loopback(0), 2, RawSocket.RING);
        pair.client.socket().connect(listener.local);
        RawSocket second = pair.client.socket().connect(listener.local);
        RawSocket third = pair.client.socket();
        assertEquals(Errno.ECONNREFUSED, assertThrows(RawException.class, () -> third.connect(listener.local)).errno);
        listener.accept();
        third.connect(listener.local);
        second.close();
        RawSocket accepted = listener.accept();
        assertEquals(0, accepted.readFully(1).length, "closed before it was accepted");
    }

    @Test
    void aListenerThatClosesResetsThoseThatWait() throws IOException {
        RawSocket listener = pair.server.listen(TestDriver.loopback(0), 2, RawSocket.RING);
        RawSocket waiting = pair.client.socket().connect(listener.local);
        listener.close();
        TestDriver.await("the reset", waiting::isReset);
        assertEquals(
                Errno.ECONNREFUSED,
                assertThrows(RawException.class, () -> pair.client.socket().connect(listener.local)).errno);
    }

    @Test
    void acceptWithNobodyWaitingWouldBlock() {
        assertEquals(Errno.EAGAIN, assertThrows(RawException.class, pair.listener::accept).errno);
    }

    @Test
    void aProcessThatLeavesIsSeenByItsPeer() throws IOException {
        pair.near.writeFully(new byte[] {4, 2});
        pair.client.close();
        assertArrayEquals(new byte[] {4, 2}, pair.far.readFully(10));
        driver.awaitCounter(CounterType.PROCESSES, 1);
    }

    @Test
    void aSenderWaitsForRoomAndGoesOn() throws IOException {
        byte[] fill = new byte[RawSocket.RING];
        pair.near.writeFully(fill);
        pair.near.writeFully(fill);
        assertEquals(0, pair.near.write(fill, 0, 1), "both rings are full");
        driver.awaitCounter(CounterType.STALLS, 1);
        assertFalse(pair.near.awaitWritable(20));
        assertEquals(fill.length, pair.far.readFully(fill.length).length);
        assertTrue(pair.near.awaitWritable(5000));
        assertEquals(fill.length, pair.far.readFully(fill.length).length);
    }

    @Test
    void aSenderThatWaitsForRoomFailsWhenItsPeerCloses() throws IOException {
        byte[] fill = new byte[RawSocket.RING];
        pair.near.writeFully(fill);
        pair.near.writeFully(fill);
        driver.awaitCounter(CounterType.STALLS, 1);
        // Bytes that were handed out and not released count as read when a socket is closed. No request told the driver
        // to look for room.
        pair.server.libWord(pair.far.sid, LibPageDescriptor.CONSUMED_OFFSET, fill.length);
        pair.far.close();
        assertTrue(pair.near.awaitWritable(5000), "the sender was not notified");
        assertEquals(Errno.EPIPE, assertThrows(RawException.class, () -> pair.near.write(fill, 0, 1)).errno);
    }

    @Test
    void anEventIsPostedForAnArmedSocket() throws IOException {
        long arm = pair.server.armWord(io.pipedevice.protocol.ArmWord.IN);
        pair.server.libWord(pair.far.sid, io.pipedevice.protocol.LibPageDescriptor.EPOLL_ARM_OFFSET, arm);
        pair.near.writeFully(new byte[1]);
        assertTrue(pair.server.awaitDoorbell(5000));
        assertEquals(1, pair.server.drainEvents());
        pair.near.writeFully(new byte[1]);
        TestDriver.await("the second byte", () -> pair.far.available() == 2);
        assertFalse(pair.server.awaitDoorbell(20), "an arming is served once");
    }

    @Test
    void anIdGoesToAnotherSocketUnderAnotherGeneration() throws IOException {
        int sid = -1;
        int generation = -1;
        for (int i = 0; i < RawClient.MAX_SOCKETS + 1; i++) {
            RawSocket socket = pair.client.socket();
            if (i == 0) {
                sid = socket.sid;
                generation = socket.generation;
            } else if (socket.sid == sid) {
                assertEquals(generation + 1, socket.generation);
                return;
            }
            socket.close();
            TestDriver.await("its end", socket::isReleased);
        }
        throw new AssertionError("no id was used again");
    }

    @Test
    void stateBitsReportTheConnectionAndItsEnd() throws IOException {
        assertEquals(DriverPageDescriptor.STATE_CONNECTED, pair.near.state() & 0xFFFF);
        pair.far.shutdown();
        TestDriver.await("end of file", () -> (pair.near.state() & DriverPageDescriptor.STATE_END_OF_FILE) != 0);
    }
}
