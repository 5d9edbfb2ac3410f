// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.ring.SendRing;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The effect of calls in place on the shared words, and their defence against a peer that breaks the protocol. */
@Timeout(60)
class PeerInPlaceTest {
    private static final int SLOT = 7;
    private static final int GENERATION = 3;
    private static final int MAX_RING = 256 << 10;
    private static final InetSocketAddress A = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final InetSocketAddress B = new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);

    private final PdBuffer block = new PdBuffer();
    private final PdBuffer received = new PdBuffer();
    private FakeLink here;
    private FakeLink there;
    private PeerSocket a;
    private PeerSocket b;

    @BeforeEach
    void connect() throws IOException {
        FakeLink[] links = FakeLink.pair();
        here = links[0];
        there = links[1];
        a = open(here, GENERATION, A, B);
        b = open(there, GENERATION, B, A);
    }

    private static PeerSocket open(FakeLink link, int generation, InetSocketAddress from, InetSocketAddress to) {
        link.open(SLOT, generation);
        PeerSocket socket = new PeerSocket(link, SLOT, generation, from, to, RingLimits.of(MAX_RING));
        link.socket = socket;
        return socket;
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
        here.close();
        there.close();
    }

    private static void send(PeerSocket socket, PdBuffer into, int length) throws PdException {
        assertTrue(socket.malloc(length, into));
        assertEquals(length, socket.send(into, length));
    }

    @Test
    void aSendIsDoneWhenTheReceiverHasReleasedIt() throws PdException {
        send(a, block, 100);
        assertFalse(a.bufRefresh(block));
        assertEquals(100, b.recv(1000, received));
        assertFalse(a.bufRefresh(block));
        b.recvDone(99);
        assertFalse(a.bufRefresh(block));
        b.recvDone(1);
        assertTrue(a.bufRefresh(block));
    }

    @Test
    void sendsThatLieBackToBackAreOnePiece() throws PdException {
        for (int i = 0; i < 3; i++) {
            send(a, new PdBuffer(), 64);
        }
        assertEquals(192, b.recv(1000, received));
        assertEquals(0, b.recv(1000, received));
    }

    @Test
    void theFirstBlockWaitsUntilTheLastChangeOfRingsIsRead() throws PdException {
        int sum = a.write(ByteBuffer.allocate(10_000));
        assertFalse(a.malloc(1, block));
        assertEquals(0, a.readiness(PdEpoll.OUT));
        assertEquals(LinkMemoryDescriptor.BASE_RING_LENGTH, b.recv(sum, received));
        b.recvDone(received.length());
        assertFalse(a.malloc(1, block));
        assertEquals(sum - LinkMemoryDescriptor.BASE_RING_LENGTH, b.recv(sum, received));
        b.recvDone(1);
        assertEquals(PdEpoll.OUT, a.readiness(PdEpoll.OUT));
        assertTrue(a.malloc(1, block));
    }

    @Test
    void aWaitForTheFirstBlockChangesNoRings() throws PdException {
        int sum = a.write(ByteBuffer.allocate(10_000));
        assertFalse(a.malloc(1, block, TimeUnit.MILLISECONDS.toNanos(50)));
        readAll(sum);
        assertTrue(a.malloc(1, block));
    }

    /** The room that a wait has granted is for a write, which may never come. */
    @Test
    void theFirstBlockDoesWithoutTheRoomThatAWaitHasGranted() throws PdException {
        int sum = writeUntilFull();
        assertTrue(a.awaitWritable(TimeUnit.SECONDS.toNanos(20)));
        assertFalse(a.malloc(1, block));
        assertEquals(0, a.readiness(PdEpoll.OUT));
        assertFalse(a.malloc(1, block, TimeUnit.MILLISECONDS.toNanos(50)));
        readAll(sum);
        assertTrue(a.malloc(1, block));
    }

    /** Writes until there is no room, and returns the number of bytes. */
    private int writeUntilFull() throws PdException {
        int sum = 0;
        int written;
        do {
            written = a.write(ByteBuffer.allocate(1000));
            sum += written;
        } while (written > 0);
        return sum;
    }

    private void readAll(int length) throws PdException {
        ByteBuffer read = ByteBuffer.allocate(length);
        while (read.hasRemaining()) {
            assertTrue(b.read(read) > 0);
        }
    }

    @Test
    void ringsWhenTheWriterHasWhatItWants() throws PdException {
        send(a, new PdBuffer(), 1000);
        PdBuffer all = new PdBuffer();
        send(a, all, MAX_RING - 1000);
        a.free(all);
        assertFalse(a.malloc(MAX_RING - 1000, block));
        assertEquals(0, a.readiness(PdEpoll.OUT), "the first block is not free");
        a.arm(PdEpoll.OUT, null, 1, 0);
        assertEquals(MAX_RING, b.recv(MAX_RING, received));
        b.recvDone(MAX_RING);
        assertEquals(0, there.rings.get(), "nothing is free before a free");
    }

    @Test
    void ringsOnceWhatIsWantedIsReleased() throws PdException {
        PdBuffer first = new PdBuffer();
        send(a, first, MAX_RING / 2);
        a.free(first);
        PdBuffer second = new PdBuffer();
        send(a, second, MAX_RING / 2);
        a.free(second);
        assertFalse(a.malloc(MAX_RING / 2, block));
        a.arm(PdEpoll.OUT, null, 1, 0);
        assertEquals(MAX_RING, b.recv(MAX_RING, received));
        b.recvDone(MAX_RING / 2 - 1);
        assertEquals(0, there.rings.get());
        b.recvDone(1);
        assertEquals(1, there.rings.get());
        assertTrue(a.malloc(MAX_RING / 2, block));
    }

    @Test
    void noRingForBlocksIsAnError() throws PdException {
        here.exhausted = true;
        PdException e = assertThrows(PdException.class, () -> a.malloc(1, block));
        assertEquals(Errno.ENOMEM, e.errno());
        assertEquals(5, a.write(ByteBuffer.allocate(5)));
        here.exhausted = false;
        assertTrue(a.malloc(1, block));
    }

    @Test
    void aRingThatTheStreamHasLeftIsReleasedWithItsBytes() throws PdException {
        int sum = a.write(ByteBuffer.allocate(50_000));
        int first = b.recv(sum, received);
        MemorySegment base = received.memory();
        b.recv(sum, received);
        MemorySegment larger = received.memory();
        b.recvDone(first);
        assertThrows(IllegalStateException.class, () -> base.get(ValueLayout.JAVA_BYTE, 0));
        assertEquals(0, there.releases);
        b.recvDone(sum - first);
        send(a, block, 10);
        assertEquals(10, b.recv(100, received));
        assertEquals(1, there.releases);
        assertThrows(IllegalStateException.class, () -> larger.get(ValueLayout.JAVA_BYTE, 0));
        b.close();
        assertEquals(2, there.releases);
        assertThrows(IllegalStateException.class, () -> received.memory().get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void entriesAreNotAmongTheBlocks() throws PdException {
        assertTrue(a.malloc(MAX_RING, block));
        assertEquals(MAX_RING, block.memory().byteSize());
        assertEquals(MAX_RING, a.send(block, MAX_RING));
        assertEquals(MAX_RING, b.recv(MAX_RING * 2, received));
        assertEquals(MAX_RING, received.memory().byteSize());
    }

    @ParameterizedTest
    @ValueSource(longs = {101, 0, -1, 1L << 63 | 100, (long) MAX_RING << 32 | 1, Long.MAX_VALUE})
    void aBlockThatReachesBeyondTheStreamIsAnErrorForGood(long wrong) throws PdException {
        send(a, block, 100);
        int entry = LinkMemoryDescriptor.blockEntry(MAX_RING, 0);
        ByteBuffer ring = here.ownRings.get(1).memory().asByteBuffer();
        ring.putLong(entry, wrong);
        PdException e = assertThrows(PdException.class, () -> b.recv(1000, received));
        assertEquals(Errno.EPROTO, e.errno());
        ring.putLong(entry, 50);
        assertSame(e, assertThrows(PdException.class, () -> b.recv(50, received)));
    }

    /** Any value in a word or entry that the peer writes causes an error, or bytes of its ring, but no damage. */
    @Test
    void survivesAnyWordOfThePeer() throws PdException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] words = {
            LinkMemoryDescriptor.TAIL_OFFSET,
            LinkMemoryDescriptor.ringOffset(1),
            LinkMemoryDescriptor.switchOffset(1),
            LinkMemoryDescriptor.ringOffset(2),
            LinkMemoryDescriptor.switchOffset(2),
            LinkMemoryDescriptor.HEAD_OFFSET,
            LinkMemoryDescriptor.WRITE_ARM_OFFSET,
            LinkMemoryDescriptor.WANTED_OFFSET
        };
        SendRing ring = there.take(LinkMemoryDescriptor.blockRing(64 << 10));
        for (int round = 0; round < 1000; round++) {
            PeerSocket socket = open(here, 10 + round, A, B);
            there.open(SLOT, 10 + round);
            if (random.nextBoolean()) {
                there.own()
                        .setRelease(
                                LinkMemoryDescriptor.slot(SLOT) + LinkMemoryDescriptor.RING_OFFSET,
                                LinkMemoryDescriptor.ringWord(ring.number(), LinkMemoryDescriptor.BLOCKS | 16, 1));
            }
            for (int step = 0; step < 20; step++) {
                long value =
                        random.nextBoolean() ? random.nextLong() : random.nextLong(-10, 1 << random.nextInt(1, 30));
                if (random.nextBoolean()) {
                    int word = words[random.nextInt(words.length)];
                    there.own().setRelease(LinkMemoryDescriptor.slot(SLOT) + word, value);
                } else {
                    int entry = LinkMemoryDescriptor.blockEntry(64 << 10, random.nextInt(4));
                    ring.bytes().putLong(entry, random.nextBoolean() ? value : random.nextLong(1, 70_000));
                }
                step(socket, random);
            }
            socket.close();
        }
    }

    private static void step(PeerSocket socket, Random random) throws PdException {
        PdBuffer buffer = new PdBuffer();
        try {
            switch (random.nextInt(4)) {
                case 0 -> {
                    if (socket.malloc(1 + random.nextInt(10_000), buffer)) {
                        socket.send(buffer, buffer.length());
                        socket.bufRefresh(buffer);
                        socket.free(buffer);
                    }
                }
                case 1 -> {
                    int length = socket.recv(1 + random.nextInt(100_000), buffer);
                    if (length > 0) {
                        byte[] copy = new byte[length];
                        buffer.copyTo(0, copy, 0, length);
                        socket.recvDone(random.nextInt(length + 1));
                    }
                }
                case 2 -> socket.write(ByteBuffer.allocate(random.nextInt(10_000)));
                default -> socket.readiness(PdEpoll.IN | PdEpoll.OUT);
            }
        } catch (PdException e) {
            assertEquals(Errno.EPROTO, e.errno());
        }
    }

    @Test
    void aDeadPeersBytesStayInPlace() throws PdException {
        a.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        there.broken = true;
        assertEquals(3, b.recv(10, received));
        assertEquals(PdSocket.END_OF_STREAM, b.recv(10, new PdBuffer()));
        assertEquals(2, received.asByteBuffer().get(1));
    }

    /** The write takes two blocks, the first of which fills the ring to its end. */
    @Test
    void aGatheredWriteInBlocksIsPublishedOnce() throws PdException {
        PdBuffer kept = new PdBuffer();
        assertTrue(a.malloc(130_000, block));
        assertTrue(a.malloc(120_000, kept));
        a.free(block);
        int[] found = new int[2];
        here.whenRung = () -> found[0] = found[1]++ == 0 ? available() : found[0];
        b.arm(PdEpoll.IN, null, 1, 0);
        byte[] sent = new byte[20_000];
        new Random(1).nextBytes(sent);
        ByteBuffer all = ByteBuffer.wrap(sent);
        ByteBuffer[] parts = {all.slice(0, 7), all.slice(7, 13_000), all.slice(13_007, 6_993)};
        assertEquals(20_000, a.write(parts, 0, 3));
        assertEquals(20_000, found[0]);
        ByteBuffer read = ByteBuffer.allocate(20_000);
        while (read.hasRemaining()) {
            assertTrue(b.read(read) > 0);
        }
        assertEquals(all, read.flip());
        a.free(kept);
    }

    private int available() {
        try {
            return b.available();
        } catch (PdException e) {
            throw new IllegalStateException(e);
        }
    }
}
