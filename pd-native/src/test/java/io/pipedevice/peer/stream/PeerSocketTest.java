// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.wait.PeerEpoll;
import io.pipedevice.peer.wait.WaitProbe;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PeerSocketTest {
    private static final int SLOT = 7;
    private static final int GENERATION = 3;
    private static final InetSocketAddress A = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final InetSocketAddress B = new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);
    private static final int MAX_RING = 256 << 10;

    private FakeLink here;
    private FakeLink there;
    private PeerSocket a;
    private PeerSocket b;

    @BeforeEach
    void connect() throws IOException {
        FakeLink[] links = FakeLink.pair();
        here = links[0];
        there = links[1];
        here.open(SLOT, GENERATION);
        a = new PeerSocket(here, SLOT, GENERATION, A, B, RingLimits.of(MAX_RING));
        here.socket = a;
    }

    private void accept() {
        there.open(SLOT, GENERATION);
        b = new PeerSocket(there, SLOT, GENERATION, B, A, RingLimits.of(MAX_RING));
        there.socket = b;
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private static ByteBuffer bytes(int length) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        return ByteBuffer.wrap(content);
    }

    private static void assertReads(ByteBuffer expected, PeerSocket from) throws PdException {
        ByteBuffer read = ByteBuffer.allocate(expected.capacity());
        while (read.hasRemaining()) {
            assertTrue(from.read(read) > 0);
        }
        assertEquals(expected.rewind(), read.flip());
    }

    @Test
    void carriesWhatWasWrittenBeforeTheOtherSideAccepted() throws PdException {
        ByteBuffer sent = bytes(100_000);
        assertEquals(100_000, a.write(sent));
        accept();
        assertReads(sent, b);
        assertEquals(0, b.read(ByteBuffer.allocate(1)));
    }

    @Test
    void aWaitForNothingSleepsAlsoWhenThePeerIsGone() throws PdException {
        try (PeerEpoll epoll = WaitProbe.newEpoll(SpinMode.NEVER)) {
            PdEvents events = new PdEvents(1);
            epoll.add(a, 0, null);
            here.broken = true;
            assertEquals(0, epoll.look(events));
            assertTrue(epoll.beforeSleep(events));
            epoll.afterSleep();
        }
    }

    @Test
    void knowsNothingOfAnEarlierConnectionInItsSlot() throws PdException {
        there.open(SLOT, GENERATION - 1);
        int offset = LinkMemoryDescriptor.slot(SLOT);
        there.own().setRelease(offset + LinkMemoryDescriptor.TAIL_OFFSET, 99);
        there.own()
                .setRelease(offset + LinkMemoryDescriptor.STATE_OFFSET, LinkMemoryDescriptor.state(GENERATION - 1, 15));
        assertEquals(0, a.read(ByteBuffer.allocate(1)));
        assertEquals(0, a.available());
        assertEquals(0, a.readiness(PdEpoll.IN));
        assertEquals(1, a.write(bytes(1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 1000, 4096, 5000, 65536, 1_000_000})
    void carriesAStreamOfMessages(int length) throws Exception {
        accept();
        long total = Math.min(16L << 20, length * 100_000L) / length * length;
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(total, length));
        ByteBuffer in = ByteBuffer.allocateDirect(70_000);
        long position = 0;
        while (position < total) {
            in.clear();
            if (b.read(in) == 0) {
                b.awaitReadable(Long.MAX_VALUE);
                continue;
            }
            in.flip();
            while (in.hasRemaining()) {
                assertEquals((byte) ((position * 31) >> 3), in.get());
                position++;
            }
        }
        writer.get(10, TimeUnit.SECONDS);
        assertEquals(0, b.available());
    }

    private void write(long total, int length) {
        ByteBuffer out = ByteBuffer.allocateDirect(length);
        try {
            for (long position = 0; position < total; ) {
                out.clear();
                while (out.hasRemaining()) {
                    out.put((byte) ((position++ * 31) >> 3));
                }
                out.flip();
                while (out.hasRemaining()) {
                    if (a.write(out) == 0) {
                        a.awaitWritable(Long.MAX_VALUE);
                    }
                }
            }
        } catch (PdException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void growsOnlyAsFarAsItMay() throws PdException {
        accept();
        ByteBuffer much = ByteBuffer.allocate(4 << 20);
        int written = a.write(much);
        assertEquals(LinkMemoryDescriptor.BASE_RING_LENGTH + MAX_RING, written);
        assertEquals(0, a.readiness(PdEpoll.OUT));
        assertEquals(0, a.write(much));
        ByteBuffer in = ByteBuffer.allocate(written);
        while (in.hasRemaining()) {
            b.read(in);
        }
        assertEquals(PdEpoll.OUT, a.readiness(PdEpoll.OUT));
    }

    @Test
    void growsOnlyAsFarAsTheProgramWants() throws PdException {
        accept();
        a.sendSize(1);
        assertEquals(LinkMemoryDescriptor.BASE_RING_LENGTH + (64 << 10), a.write(bytes(1 << 20)));
        assertTrue(a.awaitWritable(1));
        assertEquals(128 << 10, a.write(bytes(1 << 20)));
        assertFalse(a.awaitWritable(1));
        readAll(b);
        a.sendSize(100_000);
        assertEquals(128 << 10, a.write(bytes(1 << 20)));
        assertTrue(a.awaitWritable(1));
        assertEquals(256 << 10, a.write(bytes(1 << 20)));
        assertEquals(0, a.write(bytes(1 << 20)));
        assertFalse(a.awaitWritable(1));
    }

    private static void readAll(PeerSocket from) throws PdException {
        ByteBuffer some = ByteBuffer.allocate(1 << 20);
        while (from.read(some.clear()) > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void carriesTheStreamWhileAnotherThreadSaysHowFarItMayGrow() throws Exception {
        accept();
        AtomicBoolean over = new AtomicBoolean();
        FutureTask<Void> other = new FutureTask<>(
                () -> {
                    for (int i = 0; !over.get(); i++) {
                        a.sendSize(1 << i % 20);
                    }
                },
                null);
        Thread.ofPlatform().start(other);
        try {
            for (int i = 0; i < 500; i++) {
                ByteBuffer content = bytes(1 << 18);
                writeAll(a, content);
                expect(content, b);
            }
        } finally {
            over.set(true);
            other.get();
        }
        a.sendSize(MAX_RING);
        // The ring may have grown further while more was allowed.
        assertTrue(a.write(bytes(1 << 20)) >= MAX_RING);
    }

    /** Writes in pieces as much as there is room for. */
    private static void writeAll(PeerSocket to, ByteBuffer from) throws PdException {
        do {
            from.limit(Math.min(from.capacity(), from.position() + 1000));
        } while (to.write(from) > 0);
    }

    private static void expect(ByteBuffer sent, PeerSocket by) throws PdException {
        ByteBuffer read = ByteBuffer.allocate(sent.position() + 1);
        while (by.read(read) > 0) {
            Thread.onSpinWait();
        }
        assertEquals(sent.flip(), read.flip());
    }

    @Test
    void takesAsMuchAsItMayAlsoInSmallWritesThatNobodyReads() throws PdException {
        accept();
        ByteBuffer content = bytes(1 << 20);
        writeAll(a, content);
        assertEquals(LinkMemoryDescriptor.BASE_RING_LENGTH + (64 << 10), content.position());
        assertTrue(a.awaitWritable(TimeUnit.SECONDS.toNanos(20)));
        writeAll(a, content);
        assertEquals(LinkMemoryDescriptor.BASE_RING_LENGTH + (64 << 10) + MAX_RING, content.position());
        expect(content, b);
    }

    @Test
    void aWriterSleepsForLongOnlyIfItHasTheLargestRing() throws PdException {
        accept();
        ByteBuffer first = bytes(10_000);
        writeAll(a, first);
        expect(first, b);
        ByteBuffer content = bytes(1 << 20);
        writeAll(a, content);
        assertEquals(64 << 10, content.position());
        assertEquals(0, a.readiness(PdEpoll.OUT));
        assertTrue(a.awaitWritable(TimeUnit.SECONDS.toNanos(20)));
        writeAll(a, content);
        assertEquals((64 << 10) + MAX_RING, content.position());
        assertFalse(a.awaitWritable(1));
        expect(content, b);
    }

    @Test
    void staysSmallWhereNoLargerRingCanBeHad() throws PdException {
        accept();
        here.exhausted = true;
        assertEquals(LinkMemoryDescriptor.BASE_RING_LENGTH, a.write(bytes(10_000)));
    }

    @Test
    void givesItsRingsBackWhenBothHaveClosed() throws PdException {
        accept();
        a.write(bytes(100_000));
        a.close();
        assertTrue(here.given.isEmpty());
        assertFalse(a.end().release());
        assertReads(bytes(100_000), b);
        assertEquals(PdSocket.END_OF_STREAM, b.read(ByteBuffer.allocate(1)));
        assertFalse(a.end().release());
        assertEquals(1, here.given.size());
        b.close();
        assertTrue(a.end().release());
    }

    @Test
    void endsAfterWhatWasWritten() throws PdException {
        accept();
        a.write(bytes(10));
        a.shutdownOutput();
        assertReads(bytes(10), b);
        assertEquals(PdSocket.END_OF_STREAM, b.read(ByteBuffer.allocate(1)));
        assertEquals(PdEpoll.IN, b.readiness(PdEpoll.IN));
        assertEquals(
                Errno.EPIPE,
                assertThrows(PdException.class, () -> a.write(bytes(1))).errno());
        assertEquals(3, b.write(bytes(3)));
        assertReads(bytes(3), a);
    }

    @Test
    void resetsAPeerWhoseDataItNeverRead() throws PdException {
        accept();
        a.write(bytes(10));
        b.close();
        assertEquals(
                Errno.ECONNRESET,
                assertThrows(PdException.class, () -> a.read(ByteBuffer.allocate(1)))
                        .errno());
        assertEquals(
                Errno.ECONNRESET,
                assertThrows(PdException.class, () -> a.write(bytes(1))).errno());
    }

    @Test
    void tellsTheSecondWriteThatThePeerIsGone() throws PdException {
        accept();
        b.close();
        assertEquals(PdSocket.END_OF_STREAM, a.read(ByteBuffer.allocate(1)));
        assertEquals(0, a.write(ByteBuffer.allocate(0)));
        assertEquals(5, a.write(bytes(5)));
        assertEquals(
                Errno.EPIPE,
                assertThrows(PdException.class, () -> a.write(bytes(5))).errno());
    }

    @Test
    void urgentDataAreNotRead() throws PdException {
        accept();
        a.sendUrgent();
        a.write(bytes(5));
        assertReads(bytes(5), b);
        b.close();
        a.sendUrgent();
        assertEquals(Errno.EPIPE, assertThrows(PdException.class, a::sendUrgent).errno());
    }

    @Test
    void tellsTheSecondWriteThatThePeerHasShutBothDirections() throws PdException {
        accept();
        b.shutdownInput();
        assertEquals(10, a.write(bytes(10)), "only reading is shut");
        assertEquals(10, a.write(bytes(10)));
        b.shutdownOutput();
        assertEquals(10, a.write(bytes(10)));
        assertEquals(
                Errno.EPIPE,
                assertThrows(PdException.class, () -> a.write(bytes(10))).errno());
        assertEquals(PdSocket.END_OF_STREAM, a.read(ByteBuffer.allocate(1)));
    }

    @Test
    void readsTheEndWhereAResetFollowedIt() throws PdException {
        accept();
        b.shutdownOutput();
        assertEquals(10, a.write(bytes(10)));
        b.close();
        assertEquals(PdSocket.END_OF_STREAM, a.read(ByteBuffer.allocate(1)));
        assertEquals(
                Errno.EPIPE,
                assertThrows(PdException.class, () -> a.write(bytes(10))).errno());
    }

    @Test
    void aResetOvertakesAnEndBehindWhatThePeerHasNoRoomFor() throws PdException {
        accept();
        fill(b);
        endUnread();
        assertEquals(
                Errno.ECONNRESET,
                assertThrows(PdException.class, () -> a.write(bytes(10))).errno());
        assertReads(bytes(MAX_RING), a);
        assertEquals(
                Errno.ECONNRESET,
                assertThrows(PdException.class, () -> a.read(ByteBuffer.allocate(1)))
                        .errno());
    }

    @Test
    void theAnswerToAWriteOvertakesAnEndBehindWhatThereIsNoRoomFor() throws PdException {
        accept();
        // Make the ring full before it has grown to the size of the kernel's buffers.
        b.sendSize(64 << 10);
        ByteBuffer source = bytes(MAX_RING);
        while (b.write(source.limit(source.position() + (64 << 10))) > 0) {
            assertTrue(source.position() < 128 << 10);
        }
        b.shutdownInput();
        b.shutdownOutput();
        assertEquals(10, a.write(bytes(10)));
        assertEquals(
                Errno.ECONNRESET,
                assertThrows(PdException.class, () -> a.write(bytes(10))).errno());
        assertReads(source.slice(0, source.position()), a);
        assertEquals(
                Errno.ECONNRESET,
                assertThrows(PdException.class, () -> a.read(ByteBuffer.allocate(1)))
                        .errno());
    }

    @Test
    void aResetComesAfterAnEndForWhichThePeerHadRoom() throws PdException {
        accept();
        fill(b);
        assertReads(bytes(MAX_RING), a);
        assertEquals(30_000, b.write(bytes(30_000)));
        endUnread();
        assertEquals(
                Errno.EPIPE,
                assertThrows(PdException.class, () -> a.write(bytes(10))).errno());
        assertReads(bytes(30_000), a);
        assertEquals(PdSocket.END_OF_STREAM, a.read(ByteBuffer.allocate(1)));
    }

    /** Fills the ring, which grows whenever it is full. */
    private static void fill(PeerSocket socket) throws PdException {
        ByteBuffer source = bytes(MAX_RING);
        while (source.hasRemaining()) {
            socket.write(source);
        }
    }

    /** Ends the stream to a, and then closes with something unread. */
    private void endUnread() throws PdException {
        assertEquals(10, a.write(bytes(10)));
        b.shutdownOutput();
        b.close();
    }

    @Test
    void readsWhatCameAfterWhatTheReadBeforeHadLeft() throws PdException {
        accept();
        assertEquals(10, b.write(bytes(10)));
        assertEquals(4, a.read(ByteBuffer.allocate(4)));
        assertEquals(20, b.write(bytes(20)));
        assertEquals(26, a.available());
        assertEquals(20, b.write(bytes(20)));
        assertEquals(46, a.read(ByteBuffer.allocate(100)));
    }

    @Test
    void readsWhatADeadPeerLeft() throws PdException {
        accept();
        a.write(bytes(10));
        b.write(bytes(1));
        there.broken = true;
        assertReads(bytes(10), b);
        assertEquals(
                Errno.ECONNRESET,
                assertThrows(PdException.class, () -> b.read(ByteBuffer.allocate(1)))
                        .errno());
    }

    @Test
    void ringsOncePerArming() throws PdException {
        accept();
        b.arm(PdEpoll.IN, null, 1, 0);
        a.write(bytes(1));
        a.write(bytes(1));
        assertEquals(1, here.rings.get());
        b.arm(PdEpoll.IN, null, 2, 0);
        a.write(bytes(1));
        assertEquals(2, here.rings.get());
        b.disarm(PdEpoll.IN);
        a.write(bytes(1));
        assertEquals(2, here.rings.get());
    }

    @Test
    void knowsWhereItsPeerRunsAsSoonAsThatHasWaited() {
        accept();
        assertFalse(a.sharesProcessor(1), "the peer has not said where it is");
        assertTrue(b.sharesProcessor(1));
        assertFalse(b.sharesProcessor(0));
        assertTrue(a.sharesProcessor(0));
        assertFalse(a.sharesProcessor(-1));
        assertFalse(b.sharesProcessor(-1), "the kernel tells neither thread its processor");
    }

    @Test
    void ringsForAWriterWhenAQuarterIsFree() throws PdException {
        accept();
        here.exhausted = true;
        a.write(bytes(5000));
        a.arm(PdEpoll.OUT, null, 1, 0);
        b.read(ByteBuffer.allocate(700));
        assertEquals(0, there.rings.get());
        b.read(ByteBuffer.allocate(1000));
        assertEquals(1, there.rings.get());
        assertEquals(PdEpoll.OUT, a.readiness(PdEpoll.OUT));
    }

    /** A read that has copied bytes before it finds the wrong switch does not report the failure. */
    @Test
    void aSwitchThatCannotBeIsFoundByTheNextReadToo() throws PdException {
        a.write(bytes(100));
        accept();
        assertEquals(50, b.read(ByteBuffer.allocate(50)));
        int slot = LinkMemoryDescriptor.slot(SLOT);
        here.own().setRelease(slot + LinkMemoryDescriptor.switchOffset(1), 10);
        here.own().setRelease(slot + LinkMemoryDescriptor.ringOffset(1), LinkMemoryDescriptor.ringWord(1, 16, 1));
        here.own().setRelease(slot + LinkMemoryDescriptor.TAIL_OFFSET, 150);
        assertEquals(50, b.read(ByteBuffer.allocate(100)));
        PdException e = assertThrows(PdException.class, () -> b.read(ByteBuffer.allocate(100)));
        assertEquals(Errno.EPROTO, e.errno());
    }

    /** Values that no honest peer writes, in any word, cause an error or nothing, but no damage. */
    @Test
    void survivesAnyWordOfAStranger() throws PdException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] words = {
            LinkMemoryDescriptor.TAIL_OFFSET,
            LinkMemoryDescriptor.ringOffset(1),
            LinkMemoryDescriptor.switchOffset(1),
            LinkMemoryDescriptor.ringOffset(2),
            LinkMemoryDescriptor.switchOffset(2),
            LinkMemoryDescriptor.HEAD_OFFSET,
            LinkMemoryDescriptor.READ_ARM_OFFSET,
            LinkMemoryDescriptor.WRITE_ARM_OFFSET
        };
        for (int round = 0; round < 2000; round++) {
            int generation = 10 + round;
            here.open(SLOT, generation);
            there.open(SLOT, generation);
            PeerSocket socket = new PeerSocket(here, SLOT, generation, A, B, RingLimits.of(MAX_RING));
            for (int step = 0; step < 20; step++) {
                int word = words[random.nextInt(words.length)];
                long value =
                        random.nextBoolean() ? random.nextLong() : random.nextLong(-10, 1 << random.nextInt(1, 30));
                boolean ring = word == LinkMemoryDescriptor.ringOffset(1) || word == LinkMemoryDescriptor.ringOffset(2);
                if (ring && random.nextBoolean()) {
                    value = LinkMemoryDescriptor.ringWord(
                            random.nextInt(3), random.nextInt(1 << 9), 1 + random.nextInt(3));
                }
                there.own().setRelease(LinkMemoryDescriptor.slot(SLOT) + word, value);
                try {
                    int n = random.nextInt(10_000);
                    long count = switch (random.nextInt(3)) {
                        case 0 -> socket.read(ByteBuffer.allocate(n));
                        case 1 -> socket.write(ByteBuffer.allocate(n));
                        default ->
                            socket.write(
                                    new ByteBuffer[] {ByteBuffer.allocate(n / 2), ByteBuffer.allocate(n - n / 2)},
                                    0,
                                    2);
                    };
                    assertTrue(count >= 0 && count <= 10_000, "seed " + seed);
                    socket.readiness(PdEpoll.IN | PdEpoll.OUT);
                    socket.available();
                } catch (PdException e) {
                    assertEquals(Errno.EPROTO, e.errno(), "seed " + seed);
                }
            }
        }
    }

    private static ByteBuffer[] parts(ByteBuffer all, int length) {
        ByteBuffer[] parts = new ByteBuffer[all.capacity() / length];
        Arrays.setAll(parts, i -> all.slice(i * length, length));
        return parts;
    }

    /** The bytes that b found at each ring; it goes to sleep again at once. */
    private List<Integer> findsWhenRung() {
        List<Integer> found = new ArrayList<>();
        here.whenRung = () -> {
            try {
                found.add(b.available());
            } catch (PdException e) {
                throw new IllegalStateException(e);
            }
            b.arm(PdEpoll.IN, null, 2 + found.size(), 0);
        };
        b.arm(PdEpoll.IN, null, 1, 0);
        return found;
    }

    @Test
    void ringsASleeperOnceForAGatheredWriteAndForAllOfIt() throws PdException {
        accept();
        List<Integer> found = findsWhenRung();
        ByteBuffer sent = bytes(1000);
        assertEquals(1000, a.write(parts(sent, 10), 0, 100));
        assertEquals(List.of(1000), found);
        assertReads(sent, b);
    }

    @Test
    void publishesAGatheredWriteOnceAlsoWhenTheRingGrowsMeanwhile() throws PdException {
        accept();
        List<Integer> found = findsWhenRung();
        ByteBuffer sent = bytes(10_000);
        assertEquals(10_000, a.write(parts(sent, 1000), 0, 10));
        assertEquals(List.of(10_000), found);
        assertReads(sent, b);
    }

    @Test
    void publishesWhatOfAGatheredWriteFoundRoom() throws PdException {
        accept();
        here.exhausted = true;
        List<Integer> found = findsWhenRung();
        ByteBuffer sent = bytes(10_000);
        ByteBuffer[] parts = parts(sent, 1000);
        assertEquals(LinkMemoryDescriptor.BASE_RING_LENGTH, a.write(parts, 0, 10));
        assertEquals(List.of(LinkMemoryDescriptor.BASE_RING_LENGTH), found);
        assertEquals(96, parts[4].position());
        assertEquals(0, parts[5].position());
        assertEquals(0, a.readiness(PdEpoll.OUT));
        assertReads(sent.slice(0, LinkMemoryDescriptor.BASE_RING_LENGTH), b);
        assertEquals(10_000 - LinkMemoryDescriptor.BASE_RING_LENGTH, writeAll(parts, sent));
    }

    /** Writes the rest while b reads, and returns the number of bytes. */
    private long writeAll(ByteBuffer[] parts, ByteBuffer sent) throws PdException {
        int from = LinkMemoryDescriptor.BASE_RING_LENGTH;
        long sum = 0;
        while (parts[parts.length - 1].hasRemaining()) {
            long written = a.write(parts, 0, parts.length);
            assertReads(sent.slice(from + (int) sum, (int) written), b);
            sum += written;
        }
        return sum;
    }

    @Test
    void publishesWhatWasTakenBeforeAnException() throws PdException {
        accept();
        ByteBuffer gone;
        try (Arena arena = Arena.ofConfined()) {
            gone = arena.allocate(10).asByteBuffer();
        }
        ByteBuffer sent = bytes(10);
        ByteBuffer[] parts = {sent.slice(), gone};
        assertThrows(IllegalStateException.class, () -> a.write(parts, 0, 2));
        assertEquals(0, parts[0].remaining());
        assertEquals(10, b.available());
        assertReads(sent, b);
    }

    @Test
    void aGatheredWriteToNobodyIsOneWrite() throws PdException {
        accept();
        b.close();
        ByteBuffer[] parts = parts(bytes(100), 10);
        assertEquals(100, a.write(parts, 0, 10));
        assertEquals(0, parts[9].remaining());
        assertEquals(
                Errno.EPIPE,
                assertThrows(PdException.class, () -> a.write(parts(bytes(100), 10), 0, 10))
                        .errno());
    }
}
