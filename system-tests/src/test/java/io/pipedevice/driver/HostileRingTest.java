// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.Errno;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.CommandDescriptor;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever a process writes into its shared memory may end its own attachment, but does not affect other processes.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class HostileRingTest {
    private HostileFixture fixture;
    private RawClient hostile;
    private RawSocket socket;
    private RawSocket peer;

    @BeforeEach
    void connect() throws IOException {
        fixture = new HostileFixture();
        hostile = fixture.hostile;
        socket = hostile.socket().connect(fixture.pair.listener.local);
        peer = fixture.pair.listener.accept();
    }

    @AfterEach
    void othersGoOnAndNothingIsLeft() throws IOException {
        fixture.close();
    }

    private void assertDetached(String reason) throws IOException {
        fixture.assertDetached(reason);
        TestDriver.await("the peer's reset", peer::isReset);
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 1",
        "0, 0",
        "0, -1",
        "0, -2147483648",
        "0, 2147483647",
        "0, 65537",
        "65535, 2",
        "65536, 1",
        "-65536, 65536",
        "9223372036854775807, 1",
        "9223372036854775807, 2147483647",
        "-9223372036854775808, 1",
        "4294967296, 1",
        "2147483647, 2147483647"
    })
    void sendOutsideTheRing(long offset, int length) throws IOException {
        socket.post(CommandType.SEND, offset, length, 0);
        assertDetached("outside the ring");
    }

    @Test
    void moreSendsOutstandingThanAnHonestProcessPosts() throws IOException {
        // The peer reads nothing, so these sends fill its ring and stay outstanding.
        for (int i = 0; i < ControlMessage.MAX_OUTSTANDING_SENDS + 2; i++) {
            socket.post(CommandType.SEND, 0, RawSocket.RING, 0);
        }
        assertDetached("too many sends");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 4096, RawSocket.RING, 2 * RawSocket.RING, 1 << 30})
    void aSendRingThatGrowsToASizeThatItCannotHave(int size) throws IOException {
        socket.post(CommandType.SEND_RING_GREW, 0, size, 0);
        assertDetached("grew to " + size);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -4096, -1, 1, 4095, 4097, 12288, 1 << 23, Integer.MAX_VALUE})
    void ringsThatBeginWithASizeThatTheyCannotHave(int start) throws IOException {
        RawException refusal = assertThrows(
                RawException.class,
                () -> hostile.socket().connect(fixture.pair.listener.local, RawSocket.RING, RawSocket.RING, start));
        assertEquals(Errno.EINVAL, refusal.errno);
        fixture.assertServed();
    }

    @Test
    void aSendFromAPartOfTheRingThatIsNotInUseYet() throws IOException {
        peer = hostile.socket().connect(fixture.pair.listener.local, RawSocket.RING, RawSocket.RING, 4096);
        RawSocket accepted = fixture.pair.listener.accept();
        peer.post(CommandType.SEND, 4095, 1, 0);
        TestDriver.await("the last byte of the part in use", () -> accepted.readFully(1).length == 1);
        peer.post(CommandType.SEND, 4096, 1, 0);
        fixture.assertDetached("outside the ring");
    }

    @Test
    void aRingThatShrinks() throws IOException {
        RawSocket growing = hostile.socket().connect(fixture.pair.listener.local, RawSocket.RING, RawSocket.RING, 4096);
        fixture.pair.listener.accept();
        growing.post(CommandType.SEND_RING_GREW, 0, 16384, 0);
        fixture.assertServed();
        growing.post(CommandType.SEND_RING_GREW, 0, 8192, 0);
        fixture.assertDetached("grew to 8192");
    }

    @Test
    void sendAfterShutdown() throws IOException {
        socket.shutdown();
        socket.post(CommandType.SEND, 0, 1, 0);
        fixture.assertServed();
        assertEquals(0, peer.readFully(1).length, "end of file, and no data");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 9, 16, 17, 255})
    void aRequestOfAnUnknownType(int type) throws IOException {
        socket.post(type, 0, 1, 0);
        assertDetached("unknown type " + type);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 65536, -1, Long.MAX_VALUE, Long.MIN_VALUE, 0xFFFF_FFFFL})
    void moreConsumedThanThereWas(long consumed) throws IOException {
        hostile.libWord(socket.sid, LibPageDescriptor.CONSUMED_OFFSET, consumed);
        byte[] fill = new byte[RawSocket.RING];
        peer.write(fill, 0, fill.length);
        // The driver reads the word when the ring is full.
        peer.awaitWritable(5000);
        peer.write(fill, 0, 1);
        if (consumed == 1 || consumed == RawSocket.RING) {
            // That many bytes have arrived by now; the process only lied about when it consumed them.
            fixture.assertServed();
        } else {
            assertDetached("consumed out of range");
        }
    }

    @Test
    void consumedGoesBackwards() throws IOException {
        byte[] fill = new byte[RawSocket.RING];
        peer.writeFully(fill);
        TestDriver.await("data", () -> socket.available() == fill.length);
        socket.consume(100);
        peer.writeFully(new byte[100]);
        TestDriver.await("more data", () -> socket.available() == fill.length);
        hostile.libWord(socket.sid, LibPageDescriptor.CONSUMED_OFFSET, 99);
        peer.writeFully(new byte[1]);
        assertDetached("consumed out of range");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                LibPageDescriptor.READ_ARM_OFFSET,
                LibPageDescriptor.WRITE_ARM_OFFSET,
                LibPageDescriptor.EPOLL_ARM_OFFSET
            })
    void armWordsThatNameNoDoorbell(int offset) throws IOException {
        hostile.libWord(socket.sid, offset, ArmWord.of(1, 7, ArmWord.IN | ArmWord.OUT));
        socket.write(new byte[1], 0, 1);
        peer.writeFully(new byte[1]);
        assertDetached("no doorbell");
    }

    @Test
    void everyKindOfArmWordIsServedOrCostsTheAttachment() throws IOException {
        long seed = System.nanoTime();
        System.out.println("everyKindOfArmWordIsServedOrCostsTheAttachment seed " + seed);
        Random random = new Random(seed);
        hostile.doorbell();
        for (int i = 0; i < 2000; i++) {
            int offset = LibPageDescriptor.READ_ARM_OFFSET + 8 * random.nextInt(4);
            hostile.libWord(socket.sid, offset, ArmWord.of(random.nextInt(), 0, random.nextInt()));
            peer.write(new byte[1], 0, 1);
            if (socket.available() > 0) {
                socket.consume(socket.available());
            }
            hostile.drainEvents();
            hostile.doorbell().drain();
        }
        fixture.assertServed();
    }

    @Test
    void eventsThatAreNeverConsumed() throws IOException {
        hostile.doorbell();
        armWithoutEnd();
        assertDetached("not consumed");
    }

    private void armWithoutEnd() throws IOException {
        long deadline = System.nanoTime() + TestDriver.PATIENCE_NS;
        for (int i = 0; !peer.isReset() && System.nanoTime() < deadline; i++) {
            hostile.libWord(socket.sid, LibPageDescriptor.EPOLL_ARM_OFFSET, ArmWord.of(i + 1, 0, ArmWord.IN));
            try {
                if (peer.write(new byte[1], 0, 1) == 0) {
                    peer.awaitWritable(5000);
                }
            } catch (RawException e) {
                return;
            }
            if (socket.available() > 0) {
                socket.consume(socket.available());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1 << 20, Long.MAX_VALUE, Long.MIN_VALUE})
    void aCountOfEventsThatNobodyPosted(long consumed) throws IOException {
        hostile.doorbell();
        hostile.libPage.memory().set(ValueLayout.JAVA_LONG, LibPageDescriptor.EVENTS_CONSUMED_OFFSET, consumed);
        armWithoutEnd();
        assertDetached("not consumed");
    }

    @Test
    void requestsAboutSocketsThatTheProcessDoesNotHave() throws IOException {
        for (int sid : new int[] {0, 1, 2, 63, 64, 1000, 65535}) {
            if (sid != socket.sid) {
                for (int type = CommandType.RECV_DONE; type <= CommandType.SHUTDOWN_INPUT; type++) {
                    hostile.post(type, sid, 0, 0, 0, 0);
                }
                hostile.post(CommandType.SEND, sid, 0, 0, 100, 0);
            }
        }
        fixture.assertServed();
        peer.writeFully(new byte[] {1});
        assertEquals(1, socket.readFully(1).length, "its own socket works");
    }

    /** A connection in the backlog has an id that its process does not know yet. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                CommandType.CLOSE,
                CommandType.SHUTDOWN,
                CommandType.SHUTDOWN_INPUT,
                CommandType.OPENED,
                CommandType.RECV_DONE,
                CommandType.SEND
            })
    void requestsAboutASocketThatWasNotAccepted(int type) throws IOException {
        RawSocket listener = hostile.listen(TestDriver.loopback(0), 4, RawSocket.RING);
        RawSocket early = fixture.pair.client.socket().connect(listener.local);
        int sid = listener.sid + 1;
        for (int tableId = 0; tableId < 2; tableId++) {
            hostile.post(type, sid, 1, 0, 1, tableId);
        }
        fixture.assertServed();
        RawSocket accepted = listener.accept();
        assertEquals(sid, accepted.sid);
        early.writeFully(new byte[] {5});
        assertEquals(5, accepted.readFully(1)[0]);
        accepted.close();
        early.close();
        TestDriver.await("its release", accepted::isReleased);
    }

    @Test
    void requestsForAnEarlierLifeOfAnId() throws IOException {
        int sid = socket.sid;
        int generation = socket.generation;
        socket.close();
        peer.close();
        TestDriver.await("its release", socket::isReleased);
        RawSocket next;
        do {
            next = hostile.socket();
            if (next.sid != sid) {
                next.close();
            }
        } while (next.sid != sid);
        hostile.post(CommandType.CLOSE, sid, generation, 0, 0, 0);
        fixture.assertServed();
        assertFalse(next.isReleased(), "a request for the id's earlier socket closed this one");
        peer = connect(next);
    }

    private RawSocket connect(RawSocket next) throws IOException {
        next.connect(fixture.pair.listener.local);
        return fixture.pair.listener.accept();
    }

    @Test
    void entriesWhoseStampsAreGarbage() throws IOException {
        long seed = System.nanoTime();
        System.out.println("entriesWhoseStampsAreGarbage seed " + seed);
        Random random = new Random(seed);
        MemorySegment ring = hostile.libPage
                .memory()
                .asSlice(LibPageDescriptor.REQUESTS_OFFSET, (long) hostile.depth * CommandDescriptor.ENTRY_LENGTH);
        for (int i = 0; i < 20_000; i++) {
            // Write unaligned or torn values, or values of future laps, mostly with types that are no reason to detach.
            long offset = random.nextLong(ring.byteSize() - 8);
            ring.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, random.nextLong());
            if (i % 100 == 0) {
                hostile.wakeDriver();
                hostile.control.socket.ring();
            }
        }
        fixture.pair.exchange();
        if (fixture.driver.counter(CounterType.DETACHED) == 0) {
            hostile.control.call(); // repeats the last message
        }
    }

    @Test
    void aRingThatIsRewrittenWhileItIsRead() throws IOException {
        // Write all entries of all laps at once: the driver may take each position only once, whatever the stamps are.
        MemorySegment ring = hostile.libPage.memory().asSlice(LibPageDescriptor.REQUESTS_OFFSET);
        long before = fixture.driver.counter(CounterType.REQUESTS);
        for (int lap = 1; lap < 200; lap++) {
            for (int i = 0; i < hostile.depth; i++) {
                ring.set(
                        ValueLayout.JAVA_INT,
                        (long) i * CommandDescriptor.ENTRY_LENGTH + CommandDescriptor.TAG_OFFSET,
                        lap);
            }
            hostile.control.socket.ring();
        }
        fixture.pair.exchange();
        assertTrue(fixture.driver.counter(CounterType.REQUESTS) - before < 200L * hostile.depth + 10_000);
    }

    @Test
    void closedTwiceAndUsedAfterwards() throws IOException {
        socket.close();
        socket.abort();
        socket.shutdown();
        socket.post(CommandType.RECV_DONE, 0, 0, 0);
        socket.post(CommandType.OPENED, 0, 0, 0);
        socket.post(CommandType.SEND, 0, 1, 0);
        TestDriver.await("its release", socket::isReleased);
        fixture.assertServed();
    }

    @Test
    void doorbellsInFloods() throws IOException {
        // On a busy machine four rounds may take longer.
        long until = System.nanoTime() + 300_000_000L;
        for (int exchanges = 0; exchanges < 4 || System.nanoTime() < until; exchanges++) {
            for (int i = 0; i < 1000; i++) {
                hostile.control.socket.ring();
            }
            fixture.pair.exchange();
        }
        fixture.assertServed();
    }

    @Test
    void aDoorbellThatNobodyEmpties() throws IOException {
        hostile.doorbell();
        for (int i = 0; i < 2000; i++) {
            hostile.libWord(socket.sid, LibPageDescriptor.READ_ARM_OFFSET, ArmWord.of(i + 1, 0, ArmWord.IN));
            peer.write(new byte[1], 0, 1);
            if (socket.available() > 0) {
                socket.consume(socket.available());
            }
        }
        fixture.assertServed();
    }

    @Test
    void aClosedDoorbell() throws IOException {
        hostile.doorbell();
        long arm = hostile.armWord(ArmWord.IN);
        hostile.doorbell().close();
        hostile.libWord(socket.sid, LibPageDescriptor.READ_ARM_OFFSET, arm);
        peer.writeFully(new byte[1]);
        TestDriver.await("data", () -> socket.available() == 1);
        fixture.assertServed();
    }

    @Test
    void aReaderThatNeverReadsHoldsOnlyItsOwnConnection() throws IOException {
        RawSocket stuck = fixture.pair.server.socket().connect(hostileListener().local);
        byte[] fill = new byte[RawSocket.RING];
        stuck.writeFully(fill);
        stuck.writeFully(fill);
        fixture.pair.exchange();
        assertEquals(0, stuck.write(fill, 0, 1));
        assertEquals(0, fixture.driver.counter(CounterType.RESETS));
    }

    private RawSocket hostileListener() throws IOException {
        return hostile.listen(TestDriver.loopback(0), 4, RawSocket.RING);
    }

    @Test
    void aClosedSocketDoesNotWaitForeverForAReaderThatNeverReads() throws IOException {
        try (HostileFixture impatient = new HostileFixture(new DriverContext().lingerNs(200_000_000))) {
            RawSocket listener = impatient.hostile.listen(TestDriver.loopback(0), 4, RawSocket.RING);
            RawSocket sender = impatient.pair.client.socket().connect(listener.local);
            RawSocket reader = listener.accept();
            byte[] fill = new byte[RawSocket.RING];
            sender.writeFully(fill);
            sender.writeFully(fill);
            sender.close();
            TestDriver.await("the sender's rings to come back", sender::isReleased);
            TestDriver.await("the reader's reset", reader::isReset);
            assertEquals(
                    Errno.ECONNRESET, hostileError(impatient.hostile, reader.sid), "the data was not delivered whole");
        }
    }

    private static int hostileError(RawClient client, int sid) {
        return (int) client.driverWord(sid, DriverPageDescriptor.ERROR_OFFSET);
    }
}
